/*
 * functions_case.h - a driver with kernels, and the recorder's parts that functions.c calls. Each
 * call adds to the trace.
 */
#ifndef CULPRIT_TESTS_FUNCTIONS_CASE_H
#define CULPRIT_TESTS_FUNCTIONS_CASE_H

#include "record/objects/functions.h"

enum { CASE_PARAMETERS = 4096 };

extern struct functions_case {
	/* The driver's answers. */
	const char *function_name, *kernel_name; /* NULL: refused */
	bool is_nameless;                        /* the driver succeeds without a name */
	bool knows_names, knows_parameters, knows_modules;
	bool is_kernel;        /* answers only questions about kernels */
	uint32_t n_parameters; /* of the launched handle */
	uint32_t n_refused;    /* of them, refused when they are asked for once more */
	struct function_parameter parameters[CASE_PARAMETERS + 1];
	/* The recorder's. */
	bool has_observer;
	bool has_no_memory, has_no_strings, has_no_map;
	bool is_ending;               /* no question may begin */
	const struct function *known; /* of any handle */
	const struct function *other; /* returned instead of what is put, unless NULL */
	uint64_t name;                /* the string that a name's look-up finds, 0: none */
	unsigned n_asked;             /* that many times, others ask about the code */
	uint64_t now_ns, step_ns;     /* of the clock */
	/* The identity that was put last. */
	struct function_identity identity;
	unsigned n_parameter_questions;
} functions_case;

/* Start with a kernel that has two parameters. */
void functions_case_start(void);

/* Return the size of a function with so many parameters. */
size_t functions_case_size(uint32_t n_parameters);

/* Make `functions_case.known` a kernel that was confirmed in that generation. */
void functions_case_confirm(uint64_t generation);

#endif

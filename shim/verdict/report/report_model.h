/*
 * report_model.h - what a report is made from: a verdict, the bundle that it is on, and who tells
 * where code comes from.
 */
#ifndef CULPRIT_VERDICT_REPORT_MODEL_H
#define CULPRIT_VERDICT_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/attribution/attribution.h"
#include "verdict/memory/memory_pointer.h"
#include "verdict/view/bundle_view.h"

/* One line of source. Strings are NULL where nothing is known. */
struct source_frame {
	const char *function;
	const char *file;
	uint32_t line; /* 0 unknown */
	uint32_t column;
	bool is_inlined; /* into the next frame of the same answer */
};

/*
 * Where code comes from. The shim answers from the dynamic symbols of its own process, the tool
 * from debug information. Strings stay valid until the next call of the same source. Members may be
 * NULL: nothing is known then, and names stay mangled.
 */
struct symbol_source {
	/*
	 * The code that returns to `offset` of `module` (look up offset - 1): its frames, innermost
	 * inlined one first, up to `max` into out; returns how many, 0 unknown. `module_id` is the
	 * row's id and fit as a key; without a module (id 0, row NULL, path "") `offset` is an
	 * absolute address.
	 */
	size_t (*frames)(void *state, uint32_t module_id, const struct module_row *module,
			 const char *path, uint64_t offset, struct source_frame *out, size_t max);
	/* A readable form of a mangled name, or NULL. */
	const char *(*demangle)(void *state, const char *mangled);
	/*
	 * What the comments in the generated Python file `path` say about the source of its line:
	 * up to `max` phrases into out; returns how many.
	 */
	size_t (*notes)(void *state, const char *path, uint32_t line, const char **out, size_t max);
	void *state;
};

/* How the process ended. */
enum report_end_kind {
	REPORT_END_UNKNOWN,
	REPORT_RUNS,   /* it has not, or it cannot be seen from here */
	REPORT_EXITED, /* in an orderly way */
	REPORT_KILLED, /* by signal `number` */
	REPORT_GONE,   /* killed, or by _exit: nobody saw how */
};

struct report_end {
	enum report_end_kind kind;
	int number;
	bool is_failure_lost; /* there was a failure, but its row cannot be read */
};

enum { REPORT_MAX_PROCESS_LINES = 4 };

/* The process that failed, as far as it is known. Strings are the caller's. */
struct report_process {
	long pid;         /* 0: not known */
	bool is_of_run;   /* it was started by `culprit run`, whose user knows options */
	const char *rank; /* in its job, digits; NULL or "": none */
	const char *lines[REPORT_MAX_PROCESS_LINES];
	uint32_t n_lines;
	struct report_end end;
};

struct report {
	const struct bundle_view *view;
	const struct verdict *verdict;
	const struct symbol_source *symbols; /* NULL: none */
	const char *bundle_path;             /* NULL: no line about it */
	const char *directory; /* the process's, which its files are named from; NULL: not known */
	const struct report_process *process; /* NULL: not told of */
};

enum { REPORT_MAX_ARGUMENT_BYTES = 4096 };

/* The parameters of one launch as its function declares them, and the bytes that were kept. */
struct launch_arguments {
	const struct function_row *function; /* NULL: not a kernel, or its row is gone */
	const struct context_row *context;   /* that the launch is in; NULL: not known */
	uint32_t n;                          /* parameters known, see report_argument */
	bool is_layout_known;                /* false: the driver would not tell, n is 0 */
	int device;                          /* that the launch is on; -1: not known */
	size_t n_bytes;
	unsigned char bytes[REPORT_MAX_ARGUMENT_BYTES];
};

struct argument {
	uint32_t index;
	uint32_t offset;
	uint32_t size;
	const unsigned char *bytes; /* into launch_arguments.bytes; NULL: they were not kept */
	bool has_value;             /* all bytes there and at most eight */
	uint64_t value;
	enum place place;
	uint64_t distance;
	struct range_row range; /* if place is not PLACE_NONE */
};

#endif

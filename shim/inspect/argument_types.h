/*
 * argument_types.h - the type of numbers that a kernel's argument points to, as far as its name
 * says. The names of the newest kernels are read once.
 */
#ifndef CULPRIT_INSPECT_ARGUMENT_TYPES_H
#define CULPRIT_INSPECT_ARGUMENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

struct driver;

/* Set the driver to call, and the type that the user has named (CHECK_GUESS: none). Start-up only.
 */
void argument_types_start(const struct driver *driver, uint32_t type);

/* Types of the arguments of one kernel. */
struct argument_types {
	uint32_t function; /* id in functions; 0: empty */
	uint32_t n;
	uint8_t types[32];  /* enum check_type by parameter */
	uint32_t consts;    /* bits of the parameters that are pointers to const */
	uint8_t only_float; /* of pointers in structures and to bytes, unless to integers */
};

/*
 * Look up the kernel whose id is `function`. Asks the driver for the name of a new one. A kernel
 * that is being unloaded has no types. Any thread.
 */
void argument_types_find(uint32_t function, CUfunction handle, struct argument_types *out);

/*
 * Return the type to ask a check for (struct check_range), of a pointer at `offset` in the
 * parameter. Any thread.
 */
uint32_t argument_types_of(const struct argument_types *types, uint32_t parameter, uint32_t offset);

/* True if the parameter is a pointer to const. Any thread. */
bool argument_types_is_const(const struct argument_types *types, uint32_t parameter,
			     uint32_t offset);

#endif

/*
 * functions.h - the kernels that are launched: name and parameter layout of each handle, asked of
 * the driver once.
 */
#ifndef CULPRIT_RECORD_FUNCTIONS_H
#define CULPRIT_RECORD_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"
#include "journal_format.h"

struct thread;

/* As in the journal, but narrow: up to thirteen are in one cache line with their function. */
struct function_parameter {
	uint16_t offset, size; /* cuda.h: the buffer has at most 32,764 bytes, 4,096 before 12.1 */
};

struct function {
	uint32_t id;           /* in the journal, 0: no room */
	uint32_t n_parameters; /* 0 also when the driver would not tell */
	uint32_t size;         /* of the parameter buffer */
	struct function_parameter parameters[];
};

/*
 * Finds out whether calls that the driver refuses would show: compute-sanitizer and profilers list
 * them, and so does the driver's own log (CUDA_LOG_FILE). The driver has no other way to tell how
 * many parameters a kernel has than to refuse the next, nor which kind of handle is meant. Then
 * nothing is asked: arguments are not recorded, and names are those that functions were looked up
 * by. Start-up only, after cuInit, which loads such tools.
 */
void functions_start(void);

/*
 * The function of a handle (a CUfunction, or the CUkernel that a launch takes as well); NULL for
 * null or without memory. Calls the driver at first sight: no lock held. Slot owner only.
 */
const struct function *functions_of(struct thread *thread, CUfunction handle);

/* The name under which a handle was looked up, for drivers that cannot tell it. Any thread. */
void functions_named(const void *handle, const char *name);

/* Code was unloaded: handles may come back with another meaning. Any thread. */
void functions_unloaded(void);

/*
 * Copies the arguments of a launch as the parameter buffer holds them, up to `capacity` bytes.
 * Returns the buffer's whole size, 0 when it cannot be known; *out_copied says how much of it is
 * there. Reads what `parameters` and `extra` point to, as the driver is about to do.
 */
size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied);

#endif

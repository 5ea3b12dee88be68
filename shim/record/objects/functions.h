/*
 * functions.h - the kernels that are launched: name and parameter layout of each handle, asked of
 * the driver once.
 */
#ifndef CULPRIT_RECORD_FUNCTIONS_H
#define CULPRIT_RECORD_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "record/objects/function_store.h"

/* A training step of PyTorch launches some hundred different kernels. */
enum { FUNCTION_CACHE_BITS = 8, FUNCTION_CACHE = 1 << FUNCTION_CACHE_BITS };

struct function_cache_entry {
	CUfunction handle;
	const struct function *function;
};

/* What one thread has looked up. All zero is empty. */
struct function_cache {
	struct function_cache_entry entries[FUNCTION_CACHE];
	uint64_t generation; /* another one makes all of it void; last: see struct thread */
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
 * null, without memory, or if it has just gone with its module. Calls the driver at first sight: no
 * lock held. Slot owner only.
 */
const struct function *functions_of(struct function_cache *cache, CUfunction handle);

/* The name under which a handle was looked up, for drivers that cannot tell it. Any thread. */
void functions_named(const void *handle, const char *name);

/* The driver has handed out a handle that was not looked up by name. Any thread. */
void functions_derived(CUfunction handle);

/* Code was unloaded: handles may come back with another meaning. Any thread. */
void functions_unloaded(void);

/*
 * The same, of this CUmodule, which a thread is about to unload: its kernels are known until that
 * has returned, and then their rows may be used again. Any thread.
 */
void functions_module_unloading(const void *module);
void functions_module_unloaded(const void *module);

/*
 * Copies the arguments of a launch as the parameter buffer holds them, up to `capacity` bytes, to
 * where all is zero so far.
 * Returns the buffer's whole size, 0 when it cannot be known; *out_copied says how much of it is
 * there. Reads what `parameters` and `extra` point to, as the driver is about to do.
 */
size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied);

#endif

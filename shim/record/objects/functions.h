/*
 * functions.h - the kernels that are launched: name and parameter layout of each handle, asked of
 * the driver once.
 */
#ifndef CULPRIT_RECORD_FUNCTIONS_H
#define CULPRIT_RECORD_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/hash.h"
#include "base/hot.h"
#include "record/objects/function_store.h"

/* A training step of PyTorch launches some hundred different kernels. */
enum { FUNCTION_CACHE_BITS = 8, FUNCTION_CACHE = 1 << FUNCTION_CACHE_BITS };

/* In half a line of 64 bytes all that a launch without arguments is to know. */
struct function_cache_entry {
	CUfunction handle;
	uint64_t generation; /* another one makes it void */
	const struct function *function;
	uint32_t id, n_parameters; /* the function's */
} __attribute__((aligned(32)));

/* What one thread has looked up. All zero is empty. */
struct function_cache {
	struct function_cache_entry entries[FUNCTION_CACHE];
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
 * null, without memory, or if it has just gone with its module or library. Calls the driver at
 * first sight: no lock held. Slot owner only.
 */
const struct function *functions_of(struct function_cache *cache, CUfunction handle);

/* The same with what the cache has of it; all zero instead of NULL. Valid until the next look. */
const struct function_cache_entry *functions_look_up(struct function_cache *cache,
						     CUfunction handle);
static inline const struct function_cache_entry *functions_slot(const struct function_cache *cache,
								CUfunction handle)
{
	/* Handles are pointers into the driver's heap: their low bits are all alike. */
	uint32_t slot = hash_narrow((uintptr_t)handle) >> (32 - FUNCTION_CACHE_BITS);
	return &cache->entries[slot];
}
extern __attribute__((visibility("hidden"))) uint64_t functions_generation; /* atomic */
static inline const struct function_cache_entry *functions_entry(struct function_cache *cache,
								 CUfunction handle)
{
	const struct function_cache_entry *entry = functions_slot(cache, handle);
	/* Pairs with the release in functions_unloaded(). */
	uint64_t now = __atomic_load_n(&functions_generation, __ATOMIC_ACQUIRE);
	if (!USUALLY(entry->handle == handle) || !USUALLY(entry->generation == now))
		entry = functions_look_up(cache, handle);
	return entry;
}

/*
 * Who asks the driver about a kernel, a module or a library does so in between, and only if it may:
 * it does not go meanwhile. Any thread.
 */
bool functions_begin_question(const void *handle);
void functions_end_question(const void *handle);

/*
 * The driver has handed out a handle, got from that module, library or kernel; and under which name
 * it was looked up, for drivers that cannot tell it. Any thread.
 */
void functions_derived(const void *handle, const void *from);
void functions_named(const void *handle, const char *name, const void *from);

/* Code was unloaded: handles may come back with another meaning. Any thread. */
void functions_unloaded(void);

/*
 * The same, of this module or library, which a thread is about to unload: its kernels are known
 * until that has returned, and then their rows may be used again. Waits for those that are asking
 * the driver about one, a second at most: by who holds no lock. Any thread.
 */
void functions_ending(const void *code);
void functions_gone(const void *code);

/* It was loaded: what had its handle before has gone. Any thread. */
void functions_loaded(const void *code);

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

/*
 * functions.h - launched kernels: each handle's name and parameter layout, for which the driver is
 * asked once.
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

/*
 * All that a launch without arguments needs, in half a line of 64 bytes. The numbers are the
 * function's; a larger size is UINT16_MAX.
 */
struct function_cache_entry {
	CUfunction handle;
	uint64_t generation; /* another generation makes the entry invalid */
	const struct function *function;
	uint32_t id;
	uint16_t n_parameters, size;
} __attribute__((aligned(32)));

/* One thread's cached functions. All zero is empty. */
struct function_cache {
	struct function_cache_entry entries[FUNCTION_CACHE];
};

/*
 * Check whether calls that the driver rejects would be seen: compute-sanitizer, cuda-gdb and
 * profilers list them, as does the driver's own log (CUDA_LOG_FILE). Only a rejected question about
 * the next parameter shows how many a kernel has, and only a rejection shows a handle's kind. So
 * under such tools the driver is not asked: arguments are not recorded, and names are those of the
 * program's look-ups. Start-up only, after cuInit, which loads such tools.
 */
void functions_start(void);

/* The same from now on, because the program reads the driver's log. Any thread. Signal-safe. */
void functions_observed(void);

/*
 * Return the function of a handle (a CUfunction, or a CUkernel, which a launch also takes). NULL
 * for null, without memory, or if it was just unloaded with its module or library. Calls the driver
 * for a new handle: no lock held. Slot owner only.
 */
const struct function *functions_of(const struct function_cache *cache, CUfunction handle);

/*
 * The same for a launch: return the function's cache entry, all zero instead of NULL, and valid
 * until the next look-up. functions_cached() returns NULL unless this was done.
 * functions_miss() undoes it.
 */
const struct function_cache_entry *functions_look_up(struct function_cache *cache,
						     CUfunction handle);
void functions_miss(struct function_cache *cache, CUfunction handle);
static inline const struct function_cache_entry *functions_slot(const struct function_cache *cache,
								CUfunction handle)
{
	/* Handles are pointers into the driver's heap: their low bits are equal. */
	uint32_t slot = hash_narrow((uintptr_t)handle) >> (32 - FUNCTION_CACHE_BITS);
	return &cache->entries[slot];
}
extern __attribute__((visibility("hidden"))) uint64_t functions_generation; /* atomic */
/* Return the present generation, in which the driver was asked about functions. Any thread. */
static inline uint64_t functions_generation_now(void)
{
	/* Pairs with the release in functions_unloaded(). */
	return __atomic_load_n(&functions_generation, __ATOMIC_ACQUIRE);
}
static inline const struct function_cache_entry *
functions_cached(const struct function_cache *cache, CUfunction handle)
{
	const struct function_cache_entry *entry = functions_slot(cache, handle);
	uint64_t now = functions_generation_now();
	return LIKELY(entry->handle == handle) && LIKELY(entry->generation == now) ? entry : NULL;
}

/*
 * Bracket every driver query about a kernel, module or library. If begin returns false, it is being
 * unloaded: do not query it. Unloading waits for the end. Any thread.
 */
bool functions_begin_question(const void *handle);
void functions_end_question(const void *handle);

/*
 * Note a handle that the driver returned, obtained from that module, library or kernel; and the
 * name of its look-up, for drivers that cannot report it. Any thread.
 */
void functions_derived(const void *handle, const void *from);
void functions_named(const void *handle, const char *name, const void *from);

/* Code was unloaded: handles may be reused with another meaning. Any thread. */
void functions_unloaded(void);

/*
 * The same, before and after a thread unloads this module or library. Its kernels are known until
 * that has returned; then their rows may be reused. functions_ending() waits, a second at most, for
 * threads that are asking the driver about one. No lock held. Any thread.
 */
void functions_ending(const void *code);
void functions_gone(const void *code);

/* Code was loaded: what had its handle before was unloaded. Any thread. */
void functions_loaded(const void *code);

/*
 * Copy a launch's arguments, as laid out in the parameter buffer, to zeroed memory, up to
 * `capacity` bytes. Returns the buffer's whole size, 0 if it is unknown; *out_copied is how much
 * was copied. Reads what `parameters` and `extra` point to, as the driver is about to do.
 */
size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied);

#endif

/*
 * loads.h - whether the loader has loaded anything since. Facts about addresses hold until other
 * code takes these addresses, which is not announced. A library may be closed where we do not see
 * it (by the C library itself, by a plugin that finds its own dlclose), and another may be loaded
 * in its place.
 *
 * The loader counts its loads. Asking the loader takes a lock that all threads would wait for.
 * Reading the count itself costs nothing, if it can be found.
 */
#ifndef CULPRIT_RECORD_LOADS_H
#define CULPRIT_RECORD_LOADS_H

#include <stdbool.h>
#include <stdint.h>

/* Find the loader's count. Start-up only. */
void loads_start(void);

/* Return the count, or a constant number if it was not found. Only grows. Any thread. */
extern __attribute__((visibility("hidden"))) const uint64_t *loads_word;
static inline uint64_t loads_now(void)
{
	return __atomic_load_n(__atomic_load_n(&loads_word, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

/* True if the count was found. Any thread. */
bool loads_are_watched(void);

/*
 * Ask the loader, under the lock of its list, whether something was unloaded since the last such
 * call. One thread at a time.
 */
bool loads_have_unloaded(void);

/*
 * Call `body` under the lock of the loader's list of modules, which is recursive, so `body` may
 * call dl_iterate_phdr(). It must not call dladdr(), dlsym() or dlopen(): they take a lock that
 * other threads hold while they wait for the list's. A lock of ours that is held while asking the
 * loader must be taken inside `body`. A program's own dl_iterate_phdr callback already has the
 * loader's lock when it launches. Any thread.
 */
void loads_hold(void (*body)(void *data), void *data);

#endif

/*
 * loads.h - has the loader loaded anything since? What is known of addresses holds until other code
 * is at them, and of that nobody tells us: a library may be closed where we do not see it (by the C
 * library itself, by a plugin that finds its own dlclose) and another one be loaded in its place.
 *
 * The loader counts what it loads. Asked for, it takes a lock that all threads would wait for;
 * the count itself can be looked at for nothing, where it is found.
 */
#ifndef CULPRIT_RECORD_LOADS_H
#define CULPRIT_RECORD_LOADS_H

#include <stdbool.h>
#include <stdint.h>

/* Looks for the loader's count. Start-up only. */
void loads_start(void);

/* The count, or a number that stays the same where it was not found. Only grows. Any thread. */
extern __attribute__((visibility("hidden"))) const uint64_t *loads_word;
static inline uint64_t loads_now(void)
{
	return __atomic_load_n(__atomic_load_n(&loads_word, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

/* Was it found? Any thread. */
bool loads_are_watched(void);

/*
 * Asks the loader, under the lock of its list, whether something was unloaded since it was asked
 * the last time. One thread at a time.
 */
bool loads_have_unloaded(void);

/*
 * Calls `body` with the lock of the loader's list of modules, which is recursive, so that it may
 * ask the loader. A lock of ours that is held while the loader is asked is taken in here: a
 * program's own callback of dl_iterate_phdr has the loader's lock already when it launches. Any
 * thread.
 */
void loads_hold(void (*body)(void *data), void *data);

#endif

/*
 * word_lock.h - a lock of one word, taken and given back without leaving the caller's cache lines:
 * the C library's costs a launch ten more, of code and of data. For locks that launches take;
 * all others are pthread mutexes.
 *
 * All zero is a free one. It is not recursive, and any thread may give it back.
 */
#ifndef CULPRIT_RECORD_WORD_LOCK_H
#define CULPRIT_RECORD_WORD_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum word_lock_state { WORD_LOCK_FREE, WORD_LOCK_HELD, WORD_LOCK_AWAITED };

struct word_lock {
	uint32_t state; /* atomic: enum word_lock_state; the futex of those who wait */
};

/* Waits for it, for this long at most. False: not taken. May change errno. Any thread. */
bool word_lock_wait(struct word_lock *lock, uint64_t timeout_ns);

/* Wakes one of those who wait. May change errno. Any thread. */
void word_lock_wake(struct word_lock *lock);

/* Takes it if it is free: what the last holder wrote is then seen. Any thread. */
static inline bool word_lock_try(struct word_lock *lock)
{
	uint32_t expected = WORD_LOCK_FREE;
	return __atomic_compare_exchange_n(&lock->state, &expected, WORD_LOCK_HELD, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Gives it back. Release: pairs with the acquire of who takes it next. Any thread. */
static inline void word_lock_release(struct word_lock *lock)
{
	if (__atomic_exchange_n(&lock->state, WORD_LOCK_FREE, __ATOMIC_RELEASE) != WORD_LOCK_HELD)
		word_lock_wake(lock);
}

#endif

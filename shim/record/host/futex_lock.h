/*
 * futex_lock.h - a lock of one word, taken and released without leaving the caller's cache lines.
 * The C library's lock costs a launch ten more lines, of code and of data. Launches take these
 * locks; all others are pthread mutexes.
 *
 * The word names the holder. A lock can thus be found after its holder has left its call by a jump
 * or has finished. An all-zero word is a free lock. It is not recursive.
 *
 * A thread that has waited for a millisecond is next: the holder, which may take the lock again
 * without a pause, waits for that thread in turn. Shorter waits do without this, which is cheaper.
 */
#ifndef CULPRIT_RECORD_FUTEX_LOCK_H
#define CULPRIT_RECORD_FUTEX_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FUTEX_LOCK_OWNER = 0x1fffffff,   /* the holder, 0 if free; thread ids have 22 bits */
	FUTEX_LOCK_CLAIMED = 0x20000000, /* a waiting thread is next */
	FUTEX_LOCK_NOTED = 0x40000000,   /* a thread that takes it must use the slow path */
};
#define FUTEX_LOCK_AWAITED 0x80000000u

struct futex_lock {
	uint32_t state; /* atomic; the futex of waiting threads */
};

/*
 * Wait for the lock, at most timeout_ns for any one holder, and take it even if it is noted. Return
 * false if it was not taken. May change errno. Any thread.
 */
bool futex_lock_wait(struct futex_lock *lock, uint32_t owner, uint64_t timeout_ns);

/* As futex_lock_release() if the word holds more than its owner. May change errno. */
void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner);

/* While the lock is noted, futex_lock_try() fails. By the holder only. */
void futex_lock_note(struct futex_lock *lock, bool is_noted);

/* Return the current holder, 0 if the lock is free. Any thread. */
static inline uint32_t futex_lock_owner(const struct futex_lock *lock)
{
	return __atomic_load_n(&lock->state, __ATOMIC_RELAXED) & FUTEX_LOCK_OWNER;
}

/* Take the lock if it is free; the last holder's writes are then visible. Any thread. */
static inline bool futex_lock_try(struct futex_lock *lock, uint32_t owner)
{
	uint32_t expected = 0;
	return __atomic_compare_exchange_n(&lock->state, &expected, owner, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Release the lock. Pairs with the acquire of the thread that takes it next. By its owner only. */
static inline void futex_lock_release(struct futex_lock *lock, uint32_t owner)
{
	uint32_t expected = owner;
	if (!__atomic_compare_exchange_n(&lock->state, &expected, 0, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		futex_lock_release_slowly(lock, owner);
}

#endif

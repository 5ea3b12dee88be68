/*
 * word_lock.h - a lock of one word, taken and given back without leaving the caller's cache lines:
 * the C library's costs a launch ten more, of code and of data. For locks that launches take;
 * all others are pthread mutexes.
 *
 * The word says who holds it, so that what a thread holds can be found when the thread has left
 * its call by a jump, or has ended. All zero is a free one. It is not recursive.
 *
 * A thread that has waited for a millisecond is next: the holder, which may take the lock again
 * without a pause, waits for it in turn. Short waits are cheaper without that.
 */
#ifndef CULPRIT_RECORD_WORD_LOCK_H
#define CULPRIT_RECORD_WORD_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
	WORD_LOCK_OWNER = 0x1fffffff, /* of the holder, 0: it is free; threads' ids have 22 bits */
	WORD_LOCK_CLAIMED = 0x20000000, /* some thread that waits is next */
	WORD_LOCK_NOTED = 0x40000000,   /* who takes it is to go the long way */
};
#define WORD_LOCK_AWAITED 0x80000000u

struct word_lock {
	uint32_t state; /* atomic; the futex of those who wait */
};

/*
 * Waits for it, for one owner this long at most, and takes it whether it is noted or not. False:
 * not taken. May change errno. Any thread.
 */
bool word_lock_wait(struct word_lock *lock, uint32_t owner, uint64_t timeout_ns);

/* As word_lock_release() where the word says more than its owner. May change errno. */
void word_lock_release_slowly(struct word_lock *lock, uint32_t owner);

/* Until it is taken back, word_lock_try() fails. By the holder only. */
void word_lock_note(struct word_lock *lock, bool is_noted);

/* Who holds it at this moment; 0: nobody. Any thread. */
static inline uint32_t word_lock_owner(const struct word_lock *lock)
{
	return __atomic_load_n(&lock->state, __ATOMIC_RELAXED) & WORD_LOCK_OWNER;
}

/* Takes it if it is free: what the last holder wrote is then seen. Any thread. */
static inline bool word_lock_try(struct word_lock *lock, uint32_t owner)
{
	uint32_t expected = 0;
	return __atomic_compare_exchange_n(&lock->state, &expected, owner, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Gives it back. Release: pairs with the acquire of who takes it next. By its owner only. */
static inline void word_lock_release(struct word_lock *lock, uint32_t owner)
{
	uint32_t expected = owner;
	if (!__atomic_compare_exchange_n(&lock->state, &expected, 0, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED))
		word_lock_release_slowly(lock, owner);
}

#endif

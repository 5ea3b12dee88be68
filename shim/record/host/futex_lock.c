/*
 * futex_lock.c - the waiting. A thread that has waited once leaves the lock marked as awaited,
 * since others may wait as well: at worst one wake-up finds no thread.
 */
#include "record/host/futex_lock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/time_units.h"
#include "record/host/clock.h"

enum {
	/*
	 * A few launches long. Where threads launch without a pause, a woken thread finds the lock
	 * taken again. If it marked the lock as awaited at once, each release would be a system
	 * call (H200, 4 threads: 0.87 of the launches; with this rest 1.3).
	 */
	REST_NS = 20000,
	/* After one wait of this length the lock is claimed. */
	CLAIM_NS = 1000000,
	/* The longest wait for a thread that has claimed the lock and does not take it: it may have
	   left its call by a jump. */
	CLAIMANT_NS = 5000000,
};

static bool change(struct futex_lock *lock, uint32_t *state, uint32_t next)
{
	return __atomic_compare_exchange_n(&lock->state, state, next, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Return false if the word has changed meanwhile. */
static bool mark(struct futex_lock *lock, uint32_t *state, uint32_t marks)
{
	return (*state & marks) == marks || change(lock, state, *state | marks);
}

/* Sleep until the word changes; a signal handler may end the sleep early. */
static void sleep_on(struct futex_lock *lock, uint32_t state, uint64_t ns)
{
	struct timespec timeout = {.tv_sec = (time_t)(ns / NS_PER_S),
				   .tv_nsec = (long)(ns % NS_PER_S)};
	(void)syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, state, &timeout, NULL, 0);
}

/* Sleep on a word that is never woken, by the call above, which is no cancellation point. */
static void rest(void)
{
	struct futex_lock nobodys = {0};
	sleep_on(&nobodys, 0, REST_NS);
}

/* Sleep until a holder may have released it, then a while longer if in vain. Return the state. */
static uint32_t sleep_once(struct futex_lock *lock, uint32_t state, uint64_t ns)
{
	bool is_claimed = state & FUTEX_LOCK_CLAIMED;
	sleep_on(lock, state, ns);
	state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	if (is_claimed || !(state & FUTEX_LOCK_OWNER))
		return state;
	rest();
	return __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
}

/* The marks that a waiting thread leaves: after a while it claims the lock. */
static uint32_t marks_of(uint64_t waited_ns)
{
	return FUTEX_LOCK_AWAITED | (waited_ns >= CLAIM_NS ? (uint32_t)FUTEX_LOCK_CLAIMED : 0);
}

/* Give up without the lock. Another thread that has claimed it claims it again. */
static bool give_up(struct futex_lock *lock, uint32_t marks)
{
	if (marks & FUTEX_LOCK_CLAIMED)
		__atomic_fetch_and(&lock->state, ~(uint32_t)FUTEX_LOCK_CLAIMED, __ATOMIC_RELAXED);
	return false;
}

/* One loop over the states of the lock reads better than its parts. */
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
bool futex_lock_wait(struct futex_lock *lock, uint32_t owner, uint64_t timeout_ns)
{
	/* Use the kernel's own time, because the kernel does the sleeping. */
	uint64_t begin = 0;
	uint64_t end = 0;
	uint64_t now = 0;
	uint32_t marks = 0;
	uint32_t holder = UINT32_MAX;
	uint32_t state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	for (;;) {
		bool is_others = state & FUTEX_LOCK_CLAIMED && !(marks & FUTEX_LOCK_CLAIMED);
		if (!(state & FUTEX_LOCK_OWNER) && (!is_others || (holder == 0 && now >= end))) {
			uint32_t next = (state & ~(uint32_t)FUTEX_LOCK_CLAIMED) | owner;
			if (change(lock, &state, next | (marks & FUTEX_LOCK_AWAITED)))
				return true;
			continue;
		}
		now = clock_kernel_ns();
		begin = begin ? begin : now;
		if ((state & FUTEX_LOCK_OWNER) != holder) {
			holder = state & FUTEX_LOCK_OWNER;
			end = now + (holder || timeout_ns < CLAIMANT_NS ? timeout_ns : CLAIMANT_NS);
		}
		if (now >= end && !holder)
			continue;
		/* A woken thread leaves the mark even so: that one wake-up was for all waiters. */
		if (now >= end && !marks)
			return false;
		uint32_t wanted = marks_of(holder ? now - begin : 0);
		if (!mark(lock, &state, wanted))
			continue;
		marks |= wanted;
		if (now >= end)
			return give_up(lock, marks);
		state = sleep_once(lock, state | wanted, end - now);
	}
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	uint32_t state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	do {
		/* Given up meanwhile in its owner's name: the lock is no longer the caller's. */
		if ((state & FUTEX_LOCK_OWNER) != owner)
			return;
	} while (!change(lock, &state, state & (FUTEX_LOCK_NOTED | FUTEX_LOCK_CLAIMED)));
	/* Wake all of them if one is next, because it must be among them. */
	int n = state & FUTEX_LOCK_CLAIMED ? INT_MAX : 1;
	if (state & FUTEX_LOCK_AWAITED)
		(void)syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

void futex_lock_note(struct futex_lock *lock, bool is_noted)
{
	if (is_noted)
		__atomic_fetch_or(&lock->state, (uint32_t)FUTEX_LOCK_NOTED, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&lock->state, ~(uint32_t)FUTEX_LOCK_NOTED, __ATOMIC_RELAXED);
}

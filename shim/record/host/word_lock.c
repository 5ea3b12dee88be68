/*
 * word_lock.c - the waiting. Who has waited once leaves the lock marked as awaited, since others
 * may wait as well: at worst one wake-up finds nobody.
 */
#include "record/host/word_lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/host/clock.h"

enum {
	NS_PER_S = 1000000000,
	/*
	 * Some launches long: who is woken finds the lock taken again wherever threads launch
	 * without a pause, and if he marked it as awaited at once, each release would be a system
	 * call (H200, 4 threads: 0.87 of the launches; so 1.3).
	 */
	REST_NS = 20000,
};

static bool change(struct word_lock *lock, uint32_t *state, uint32_t next)
{
	return __atomic_compare_exchange_n(&lock->state, state, next, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* False: it has changed meanwhile. */
static bool mark(struct word_lock *lock, uint32_t *state)
{
	return *state & WORD_LOCK_AWAITED || change(lock, state, *state | WORD_LOCK_AWAITED);
}

/* Until the word changes; a signal's handler may end it early. */
static void sleep_on(struct word_lock *lock, uint32_t state, uint64_t ns)
{
	struct timespec timeout = {.tv_sec = (time_t)(ns / NS_PER_S),
				   .tv_nsec = (long)(ns % NS_PER_S)};
	(void)syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, state, &timeout, NULL, 0);
}

/* By the same call as above, which is no point of cancellation: a word that nobody wakes. */
static void rest(void)
{
	struct word_lock nobodys = {0};
	sleep_on(&nobodys, 0, REST_NS);
}

/* Until another may have let go, and a while longer if that was in vain. Returns what it is. */
static uint32_t sleep_once(struct word_lock *lock, uint32_t state, uint64_t ns)
{
	sleep_on(lock, state, ns);
	state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	if (!(state & WORD_LOCK_OWNER))
		return state;
	rest();
	return __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
}

bool word_lock_wait(struct word_lock *lock, uint32_t owner, uint64_t timeout_ns)
{
	/* The kernel's own time: it is the kernel that sleeps. */
	uint64_t end = 0;
	uint32_t waited = 0, holder = 0;
	uint32_t state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	for (;;) {
		if (!(state & WORD_LOCK_OWNER)) {
			if (change(lock, &state, state | owner | waited))
				return true;
			continue;
		}
		uint64_t now = clock_kernel_ns();
		if ((state & WORD_LOCK_OWNER) != holder) {
			holder = state & WORD_LOCK_OWNER;
			end = now + timeout_ns;
		}
		/* Who was woken leaves the mark even so: it was one wake-up for all who wait. */
		if (now >= end && !waited)
			return false;
		if (!mark(lock, &state))
			continue;
		if (now >= end)
			return false;
		waited = WORD_LOCK_AWAITED;
		state = sleep_once(lock, state | waited, end - now);
	}
}

void word_lock_release_slowly(struct word_lock *lock, uint32_t owner)
{
	uint32_t state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
	do {
		/* Given up meanwhile, in its owner's name: it is no longer the caller's. */
		if ((state & WORD_LOCK_OWNER) != owner)
			return;
	} while (!change(lock, &state, state & WORD_LOCK_NOTED));
	if (state & WORD_LOCK_AWAITED)
		(void)syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void word_lock_note(struct word_lock *lock, bool is_noted)
{
	if (is_noted)
		__atomic_fetch_or(&lock->state, (uint32_t)WORD_LOCK_NOTED, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&lock->state, ~(uint32_t)WORD_LOCK_NOTED, __ATOMIC_RELAXED);
}

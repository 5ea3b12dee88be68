/*
 * word_lock.c - the waiting. Who has waited once leaves the lock marked as awaited, since others
 * may wait as well: at worst one wake-up finds nobody.
 */
#include "word_lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

enum { NS_PER_S = 1000000000 };

/* Until the word changes; a signal's handler may end it early. False: it took the whole time. */
static bool sleep_on(struct word_lock *lock, uint64_t ns)
{
	struct timespec timeout = {.tv_sec = (time_t)(ns / NS_PER_S),
				   .tv_nsec = (long)(ns % NS_PER_S)};
	return syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, WORD_LOCK_AWAITED, &timeout,
		       NULL, 0) == 0 ||
	       errno != ETIMEDOUT;
}

bool word_lock_wait(struct word_lock *lock, uint64_t timeout_ns)
{
	/* The kernel's own time: it is the kernel that sleeps. */
	uint64_t end = clock_kernel_ns() + timeout_ns;
	/* Pairs with the release in word_lock_release(). */
	while (__atomic_exchange_n(&lock->state, WORD_LOCK_AWAITED, __ATOMIC_ACQUIRE)) {
		uint64_t now = clock_kernel_ns();
		if (now >= end || !sleep_on(lock, end - now))
			return false;
	}
	return true;
}

void word_lock_wake(struct word_lock *lock)
{
	(void)syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

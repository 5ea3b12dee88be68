/*
 * clock_wait.h - bounds a wait that polls.
 */
#ifndef CULPRIT_RECORD_CLOCK_WAIT_H
#define CULPRIT_RECORD_CLOCK_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/host/clock.h"

/* Set `patience_ns` only. */
struct clock_wait {
	uint64_t patience_ns; /* of the thread's processor time */
	uint64_t thread_end_ns;
	uint64_t kernel_end_ns;
};

/*
 * Return true if the wait has lasted long enough; the first call starts it. The time in which a
 * busy machine does not let the thread run does not count. But a wait ends after a second at most:
 * the thread may get little processor time, or have no such clock. Signal-safe.
 */
static inline bool clock_wait_is_over(struct clock_wait *wait)
{
	static const uint64_t LONGEST_NS = 1000ull * 1000 * 1000;
	uint64_t thread_ns = clock_thread_ns();
	uint64_t kernel_ns = clock_kernel_ns();
	if (wait->kernel_end_ns == 0) {
		wait->thread_end_ns = thread_ns + wait->patience_ns;
		wait->kernel_end_ns = kernel_ns + LONGEST_NS;
	}
	return thread_ns > wait->thread_end_ns || kernel_ns > wait->kernel_end_ns;
}

#endif

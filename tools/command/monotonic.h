/*
 * monotonic.h - CLOCK_MONOTONIC, for limits and for times in a journal. The shim has a clock of its
 * own, record/host/clock.h, because a host may replace clock_gettime().
 */
#ifndef CULPRIT_TOOLS_MONOTONIC_H
#define CULPRIT_TOOLS_MONOTONIC_H

#include <stdint.h>
#include <time.h>

#include "base/time_units.h"

/* Return the nanoseconds of CLOCK_MONOTONIC, which the journal counts too. Any thread; it may be
 * called in a signal handler. */
static inline uint64_t monotonic_ns(void)
{
	struct timespec now = {0, 0};
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Return the whole milliseconds of monotonic_ns(), signed so that times left may be negative. */
static inline long long monotonic_ms(void)
{
	return (long long)(monotonic_ns() / NS_PER_MS);
}

#endif

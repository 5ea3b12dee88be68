/*
 * clock.c - reads CLOCK_MONOTONIC.
 */
#include "record/host/clock.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/hot.h"
#include "base/time_units.h"

static HOT uint64_t as_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

HOT uint64_t clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return as_ns(&now);
}

static uint64_t kernel_ns(clockid_t clock)
{
	struct timespec now = {0};
	(void)syscall(SYS_clock_gettime, clock, &now);
	return as_ns(&now);
}

uint64_t clock_kernel_ns(void)
{
	return kernel_ns(CLOCK_MONOTONIC);
}

uint64_t clock_raw_ns(void)
{
	return kernel_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t clock_thread_ns(void)
{
	return kernel_ns(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * tick_clock.h - a thread's clock for launches. It reads CLOCK_MONOTONIC now and then, and advances
 * that time by the processor's tick counter. With cold caches, asking the C library costs a launch
 * a dozen lines on five pages; this costs one.
 *
 * Even if the counter halts, jumps or differs between processors, the time is wrong by less than
 * TICK_CLOCK_WINDOW_NS: after that long, or a step backwards, the system's clock is read. If the
 * counter's rate may change, the system's clock is read each time.
 */
#ifndef CULPRIT_RECORD_TICK_CLOCK_H
#define CULPRIT_RECORD_TICK_CLOCK_H

#include <stdint.h>

#include "arch/arch.h"

/* If the system slews its clock by 500 ppm, the error is 1 us: less than a launch takes. */
#define TICK_CLOCK_WINDOW_NS 2000000u

/* Owned by one thread at a time. All zero: it reads the system's clock until the rate is known. */
struct tick_clock {
	uint64_t ticks, ns;   /* the last reading of both clocks */
	uint64_t ns_per_tick; /* in units of 2^-32 */
	uint64_t window;      /* in ticks; 0 if the rate is unknown */
	/* Where the measurement of the rate starts; replaced by a later base. */
	uint64_t base_ticks, base_ns;
};

/* Find out whether the counter can be used at all. Start-up only; before this, it is not used. */
void tick_clock_start(void);

/* Return CLOCK_MONOTONIC in ns. ask() reads the system's clock. The clock's owner only. */
uint64_t tick_clock_ask(struct tick_clock *clock);
static inline uint64_t tick_clock_ns(struct tick_clock *clock)
{
	/* If the counter went back, the difference is huge. */
	uint64_t passed = arch_ticks() - clock->ticks;
	if (passed >= clock->window)
		return tick_clock_ask(clock);
	return clock->ns + (passed * clock->ns_per_tick >> 32);
}

#endif

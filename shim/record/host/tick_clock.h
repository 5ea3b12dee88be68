/*
 * tick_clock.h - a thread's clock for launches: CLOCK_MONOTONIC, read now and then, and in between
 * told on by the processor's tick counter. To ask the C library costs a launch in cold caches a
 * dozen lines on five pages; this costs one.
 *
 * Whatever the counter does (halts, jumps, differs between processors), the answer is wrong by less
 * than TICK_CLOCK_WINDOW_NS: after so long, or a step backwards, the system's clock is asked. Where
 * the counter's rate may change, it is asked each time.
 */
#ifndef CULPRIT_RECORD_TICK_CLOCK_H
#define CULPRIT_RECORD_TICK_CLOCK_H

#include <stdint.h>

/* At the 500 ppm by which the system may slew its clock, 1 us: less than a launch takes. */
#define TICK_CLOCK_WINDOW_NS 2000000u

/* Belongs to one thread at a time. All zero asks the system's clock until the rate is known. */
struct tick_clock {
	uint64_t ticks, ns;   /* when the system's clock was last asked, and its answer */
	uint64_t ns_per_tick; /* in units of 2^-32 */
	uint64_t window;      /* in ticks; 0: the rate is not known */
	/* The rate is measured from here, until there is a later base. */
	uint64_t base_ticks, base_ns;
};

/* May the counter be used at all? Start-up only; before, it is not. */
void tick_clock_start(void);

/* The time in ns of CLOCK_MONOTONIC. The clock's owner only. */
uint64_t tick_clock_ask(struct tick_clock *clock);
static inline uint64_t tick_clock_ns(struct tick_clock *clock)
{
	/* A counter that went back gives a huge difference. */
	uint64_t passed = __builtin_ia32_rdtsc() - clock->ticks;
	if (passed >= clock->window)
		return tick_clock_ask(clock);
	return clock->ns + (passed * clock->ns_per_tick >> 32);
}

#endif

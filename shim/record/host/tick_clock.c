/*
 * tick_clock.c - measure the rate of the processor's counter, and derive the time from it.
 */
#include "record/host/tick_clock.h"

#include <stdbool.h>

#include "arch/arch.h"
#include "base/hot.h"
#include "record/host/clock.h"

/*
 * A base must be older than the first: with two readings 50 ns off, the rate is wrong by 10 ppm. A
 * base older than the second is replaced, so that products stay below 2^64.
 */
enum { BASE_MIN_NS = 10 * 1000 * 1000, BASE_MAX_NS = 1000 * 1000 * 1000 };

/*
 * If the rate differs from the last by more than one in 256, one of the two clocks has jumped. Both
 * clocks count as read at one time if that takes less than READING_MAX_NS by the system's clock.
 * Otherwise something interrupted it.
 */
enum { JUMP = 256, READING_MAX_NS = 5000 };
#define ONE_NS (1ull << 32) /* struct tick_clock, ns_per_tick */

static bool is_usable; /* written at start only */

void tick_clock_start(void)
{
	is_usable = arch_ticks_are_steady();
}

static void begin_base(struct tick_clock *clock)
{
	clock->base_ticks = clock->ticks;
	clock->base_ns = clock->ns;
}

static bool is_like(uint64_t rate, uint64_t known)
{
	uint64_t difference = rate > known ? rate - known : known - rate;
	return !known || difference < known / JUMP;
}

static void measure(struct tick_clock *clock)
{
	uint64_t passed_ns = clock->ns - clock->base_ns;
	uint64_t passed = clock->ticks - clock->base_ticks;
	if (!clock->base_ns || !passed || passed_ns > 2ull * BASE_MAX_NS) {
		begin_base(clock);
		return;
	}
	if (passed_ns < BASE_MIN_NS)
		return;
	uint64_t rate = passed_ns * ONE_NS / passed;
	bool is_known = rate && is_like(rate, clock->ns_per_tick);
	clock->ns_per_tick = is_known ? rate : 0;
	clock->window = is_known ? TICK_CLOCK_WINDOW_NS * ONE_NS / rate : 0;
	if (!is_known || passed_ns > BASE_MAX_NS)
		begin_base(clock);
}

COLD uint64_t tick_clock_ask(struct tick_clock *clock)
{
	uint64_t before_ns = clock_ns();
	if (!is_usable)
		return before_ns;
	uint64_t ticks = arch_ticks();
	uint64_t now_ns = clock_ns();
	if (now_ns - before_ns < READING_MAX_NS) {
		clock->ticks = ticks;
		clock->ns = now_ns;
		measure(clock);
	}
	return now_ns;
}

/*
 * tick_clock.c - measure the rate of the processor's counter, and derive the time from it.
 */
#include "record/host/tick_clock.h"

#include <cpuid.h>
#include <stdbool.h>
#include <x86intrin.h>

#include "base/hot.h"
#include "record/host/clock.h"

/* cpuid: the counter runs at one rate, also in sleep (Intel's and AMD's manuals, "Invariant TSC").
 */
#define INVARIANT_LEAF 0x80000007u
#define INVARIANT_BIT  (1u << 8)

/*
 * A base must be older than the first: with two readings 50 ns off, the rate is wrong by 10 ppm. A
 * base older than the second is replaced, so that products stay below 2^64.
 */
enum { BASE_MIN_NS = 10 * 1000 * 1000, BASE_MAX_NS = 1000 * 1000 * 1000 };

/*
 * If the rate differs from the last by more than one in 256, one of the two clocks has jumped. Both
 * clocks count as read at one time if the reading takes fewer ticks than this, some microseconds.
 * Otherwise something interrupted it.
 */
enum { JUMP = 256, READING_MAX_TICKS = 20000 };
#define ONE_NS (1ull << 32) /* struct tick_clock, ns_per_tick */

static bool is_usable; /* written at start only */

void tick_clock_start(void)
{
	unsigned a = 0;
	unsigned b = 0;
	unsigned c = 0;
	unsigned d = 0;
	is_usable = __get_cpuid(INVARIANT_LEAF, &a, &b, &c, &d) && d & INVARIANT_BIT;
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
	uint64_t before = __rdtsc();
	uint64_t now_ns = clock_ns();
	if (is_usable && __rdtsc() - before < READING_MAX_TICKS) {
		clock->ticks = before;
		clock->ns = now_ns;
		measure(clock);
	}
	return now_ns;
}

/*
 * Unit tests of the clock of launches. Both clocks that it reads are simulated: time passes only by
 * reading them, so that a busy machine changes nothing.
 */
#include <stdbool.h>

#include "arch/arch.h"
#include "record/host/clock.h"
#include "support/check.h"

/* One nanosecond passes with each reading. */
static uint64_t true_ns = 1000000000000u;
static uint64_t jump_ns;      /* added to what the system's clock says */
static uint64_t jump_ticks;   /* added to the counter */
static uint64_t interrupt_ns; /* passes once, after the counter is read */
static uint64_t ticks_per_us = 2400;
static bool is_steady;
static unsigned n_asked;

uint64_t clock_ns(void)
{
	n_asked++;
	return ++true_ns + jump_ns;
}

static uint64_t simulated_ticks(void)
{
	uint64_t ticks = ++true_ns * ticks_per_us / 1000 + jump_ticks;
	true_ns += interrupt_ns;
	interrupt_ns = 0;
	return ticks;
}

static bool simulated_are_steady(void)
{
	return is_steady;
}

/* The file under test, with the simulated counter. */
#define arch_ticks            simulated_ticks
#define arch_ticks_are_steady simulated_are_steady
#include "record/host/tick_clock.c" // NOLINT(bugprone-suspicious-include)

/* The rate may be wrong by a tick in the shortest base, see tick_clock.c, over a window. */
enum { TOLERANCE_NS = 50 };
#define SLOW_TOLERANCE_NS 200 /* of a counter with a tick in 40 ns */

static uint64_t tolerance(void)
{
	return ticks_per_us < 1000 ? SLOW_TOLERANCE_NS : TOLERANCE_NS;
}

static bool is_right(struct tick_clock *clock)
{
	uint64_t told = tick_clock_ns(clock);
	uint64_t now = true_ns + jump_ns;
	return told + tolerance() >= now && told <= now + tolerance();
}

/* In steps of 10 us, by which launches follow each other. */
static void run_for(struct tick_clock *clock, uint64_t ns)
{
	enum { STEP_NS = 10000 };
	for (uint64_t end = true_ns + ns; true_ns < end; true_ns += STEP_NS)
		CHECK(is_right(clock));
}

static unsigned asked_in(struct tick_clock *clock, unsigned n_times)
{
	unsigned before = n_asked;
	for (unsigned i = 0; i < n_times; i++)
		(void)tick_clock_ns(clock);
	return n_asked - before;
}

static void test_not_started(void)
{
	struct tick_clock clock = {0};
	CHECK(asked_in(&clock, 100) == 100);
	run_for(&clock, 20000000);
	CHECK(asked_in(&clock, 100) == 100);
}

/* A counter whose rate changes is not used. */
static void test_unsteady(void)
{
	tick_clock_start();
	test_not_started();
}

static void test_agrees(void)
{
	struct tick_clock clock = {0};
	run_for(&clock, 50000000);
	CHECK(clock.window);
	CHECK(asked_in(&clock, 1000) <= 2);
	/* After the oldest allowed base there is another. */
	run_for(&clock, 1200000000);
	CHECK(clock.ns - clock.base_ns < 1000000000);
}

/* One of the clocks jumps: after a window the time is right again. */
static void test_jump(uint64_t *jump, uint64_t size)
{
	struct tick_clock clock = {0};
	run_for(&clock, 20000000);
	*jump += size;
	(void)tick_clock_ns(&clock);
	true_ns += 2 * TICK_CLOCK_WINDOW_NS;
	run_for(&clock, 30000000);
	CHECK(clock.window);
}

/* The counter went back: another processor's, or the machine slept. */
static void test_step_back(void)
{
	struct tick_clock clock = {0};
	run_for(&clock, 20000000);
	jump_ticks -= 1ull << 40;
	CHECK(is_right(&clock));
	run_for(&clock, 30000000);
}

/* A reading of both clocks that was interrupted is not used, however slow the counter is. */
static void test_interrupted(void)
{
	struct tick_clock clock = {0};
	run_for(&clock, 20000000);
	true_ns += 2 * TICK_CLOCK_WINDOW_NS;
	struct tick_clock before = clock;
	interrupt_ns = 300000;
	CHECK(tick_clock_ask(&clock) == true_ns + jump_ns);
	CHECK(clock.ns == before.ns && clock.ticks == before.ticks);
	run_for(&clock, 30000000);
}

static void test_all(void)
{
	test_agrees();
	test_jump(&jump_ns, 3000000);
	test_jump(&jump_ns, 10000000000);
	test_jump(&jump_ns, 1ull << 50);
	test_jump(&jump_ticks, 1ull << 40);
	test_step_back();
	test_interrupted();
}

int main(void)
{
	test_not_started();
	test_unsteady();
	is_steady = true;
	tick_clock_start();
	test_all();
	ticks_per_us = 25; /* as on some aarch64 machines */
	test_all();
	return 0;
}

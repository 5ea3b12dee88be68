/*
 * Unit tests of the clock of launches, which is based on two others: the processor's, which is the
 * real one here, and the system's, which the tests can make jump.
 */
#include <stdbool.h>
#include <time.h>

#include "record/host/clock.h"
#include "record/host/tick_clock.h"
#include "support/check.h"

static uint64_t jump_ns; /* added to what the system's clock says */
static unsigned n_asked;

uint64_t clock_ns(void)
{
	n_asked++;
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + jump_ns;
}

/* A reading may take some microseconds, see tick_clock.c, and so may the one before it. */
enum { TOLERANCE_NS = 20000 };

/* Between two readings of the system's clock, within the possible error of the rate. */
static bool is_right(struct tick_clock *clock)
{
	uint64_t before = clock_ns();
	uint64_t told = tick_clock_ns(clock);
	uint64_t after = clock_ns();
	return told + TOLERANCE_NS >= before && told <= after + TOLERANCE_NS;
}

static void run_for(struct tick_clock *clock, uint64_t ns)
{
	uint64_t end = clock_ns() + ns;
	while (clock_ns() < end)
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

static void test_agrees(void)
{
	struct tick_clock clock = {0};
	run_for(&clock, 50000000);
	if (!clock.window)
		return; /* This processor's counter cannot be used. */
	CHECK(asked_in(&clock, 1000) < 100);
	/* Past the oldest base there is another. */
	run_for(&clock, 1200000000);
	CHECK(clock.ns - clock.base_ns < 1000000000);
}

static void test_jump(uint64_t jump)
{
	struct tick_clock clock = {0};
	run_for(&clock, 20000000);
	jump_ns += jump;
	uint64_t told = tick_clock_ns(&clock);
	uint64_t now = clock_ns();
	CHECK(told <= now + TOLERANCE_NS && told + jump + 1000000000 >= now);
	struct timespec window = {.tv_nsec = 2 * TICK_CLOCK_WINDOW_NS};
	(void)nanosleep(&window, NULL);
	run_for(&clock, 30000000);
}

/* The counter went back: another processor's, or the machine slept. */
static void test_step_back(void)
{
	struct tick_clock clock = {0};
	run_for(&clock, 20000000);
	clock.ticks += 1ull << 40;
	CHECK(is_right(&clock));
}

int main(void)
{
	test_not_started();
	tick_clock_start();
	test_agrees();
	test_jump(3000000);
	test_jump(10000000000);
	test_jump(1ull << 50);
	test_step_back();
	return 0;
}

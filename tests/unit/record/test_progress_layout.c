/*
 * test_progress_layout.c - how long a counter is waited for. Time is simulated here: it advances by
 * a microsecond whenever it is read.
 */
#include "record/progress/progress_layout.h"

#include "record/host/clock.h"
#include "support/check.h"

enum { BEFORE = 9, PAYLOAD = 10 };

static struct progress_counter word;
static uint32_t lag_us, now_us, now_ms;
static bool is_starved; /* the thread's processor time does not advance */

uint64_t clock_kernel_ns(void)
{
	return 1000000 * (uint64_t)(is_starved ? ++now_ms : 1);
}

uint64_t clock_thread_ns(void)
{
	if (is_starved)
		return 0;
	if (++now_us == lag_us)
		word.payload = PAYLOAD;
	return 1000 * (uint64_t)now_us;
}

/* The counter shows the payload after so many microseconds. */
static bool reaches(uint32_t lag)
{
	word.payload = BEFORE;
	lag_us = lag;
	now_us = 0;
	return progress_counter_reaches(&word, PAYLOAD);
}

static void test_patience(void)
{
	CHECK(reaches(500));
	CHECK(!reaches(UINT32_MAX));
	CHECK(now_us > 1000 && now_us < 1100);
}

/* A thread that hardly runs, or whose kernel refuses the clock, is not held for ever. */
static void test_starved(void)
{
	is_starved = true;
	CHECK(!reaches(UINT32_MAX));
	CHECK(now_ms > 1000 && now_ms < 1100);
	is_starved = false;
}

static void test_at_once(void)
{
	now_us = 0;
	word.payload = PAYLOAD;
	CHECK(progress_counter_reaches(&word, PAYLOAD));
	CHECK(progress_counter_reaches(&word, BEFORE));
	word.payload = 3; /* it has wrapped */
	CHECK(progress_counter_reaches(&word, UINT32_MAX - 3));
	CHECK_EQUAL(now_us, 0);
}

int main(void)
{
	test_patience();
	test_starved();
	test_at_once();
	return 0;
}

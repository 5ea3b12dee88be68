/*
 * test_status_age.c - since when a stream's work has been running, by two clocks that are apart.
 */
#include "status/process_status.h"
#include "support/check.h"

enum { NOW = 9000, CALL = 1000 };

/* The work started at this time of the GPU, whose clock is behind by `low` to `high`. */
static struct status_span age(uint64_t started_gpu_ns, int64_t low, int64_t high)
{
	static struct process_status status;
	status.now_ns = NOW;
	status.stalls = (struct stalls){.has_offset = true, .offset_low = low, .offset_high = high};
	const struct stall stall = {
		.front.time_ns = CALL, .started_gpu_ns = started_gpu_ns, .has_started_ns = true};
	return process_status_age(&status, &stall);
}

static void check_age(struct status_span span, uint64_t low, uint64_t high)
{
	CHECK_EQUAL(span.low, low);
	CHECK_EQUAL(span.high, high);
}

static void test_clocks_apart(void)
{
	check_age(age(500, 1500, 4500), 4000, 7000);
	check_age(age(500, 0, 4500), 4000, NOW - CALL); /* not before its call */
	check_age(age(8000, 500, 4500), 0, 500);        /* not after now */
}

/* Times of a hostile bundle wrap around. */
static void test_absurd_time(void)
{
	check_age(age(UINT64_C(1) << 63, INT64_MIN + CALL, INT64_MIN + NOW), 0, NOW - CALL);
}

int main(void)
{
	test_clocks_apart();
	test_absurd_time();
	return 0;
}

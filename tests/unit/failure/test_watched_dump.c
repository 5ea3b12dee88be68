/*
 * test_watched_dump.c - how long a failure waits for the driver. Time is simulated here: it passes
 * while the dump is read, and while the thread sleeps.
 */
#include "failure/watched_dump.h"

#include <errno.h>
#include <time.h>

#include "failure/failed_contexts.h"
#include "record/driver/coredumps.h"
#include "record/host/clock.h"
#include "support/check.h"

static const uint64_t MS = 1000000;

bool coredumps_watched = true;
static uint64_t now_ns, reading_ns, code_ns; /* the driver has a code from then on */

uint64_t clock_kernel_ns(void)
{
	return now_ns;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *out_rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *out_rest)
{
	(void)out_rest;
	now_ns += (uint64_t)time->tv_sec * 1000 * MS + (uint64_t)time->tv_nsec;
	return 0;
}

CUresult failed_contexts_code(struct context *about)
{
	(void)about;
	return now_ns >= code_ns ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

/* The file is there, and is never complete. */
int coredumps_read(uint64_t appears_ns, uint64_t complete_ns, void **out_bytes, size_t *out_size)
{
	(void)out_bytes;
	(void)out_size;
	CHECK(appears_ns <= complete_ns && now_ns + reading_ns <= complete_ns);
	now_ns += reading_ns;
	return -ETIMEDOUT;
}

static void begin(uint64_t reading, uint64_t code)
{
	now_ns = 100 * MS;
	reading_ns = reading;
	code_ns = now_ns + code;
	CHECK(!watched_dump_open(CUDA_SUCCESS));
}

/* The time is bounded in total, not for each call. */
static void test_deadline(void)
{
	begin(1500 * MS, 60000 * MS);
	for (int i = 0; i < 3; i++) {
		CHECK_EQUAL(watched_dump_await_driver(NULL), CUDA_SUCCESS);
		CHECK_EQUAL(now_ns, 100 * MS + WATCHED_DUMP_WAIT_NS);
	}
}

static void test_code(void)
{
	begin(10 * MS, 300 * MS);
	CHECK_EQUAL(watched_dump_await_driver(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_EQUAL(now_ns, 400 * MS);
}

int main(void)
{
	test_deadline();
	test_code();
	return 0;
}

/*
 * test_hang_rows.c - when a stream counts as stuck, and whether all of that time is proven.
 */
#include "hang/hang_rows.h"

#include "support/check.h"

enum { PID = 7, STREAM = 3, FUNCTION = 5 };

static const uint64_t LIMIT = 1000;

static struct hang_rows rows;
static struct process_status status;

/* A thread waits for the stream since then; 0: none does. */
static void start(uint64_t waits_since)
{
	memset(&rows, 0, sizeof(rows));
	status.pid = PID;
	status.n_waits = waits_since ? 1 : 0;
	status.waits[0] = (struct waiting_thread){.stream = STREAM, .since_ns = waits_since};
}

/* A snapshot in which the stream is at that submission. Return how many are newly stuck. */
static uint32_t look(uint64_t now_ns, uint64_t sequence, bool is_proven, bool must_be_awaited)
{
	struct stall stall = {.stream = STREAM, .is_proven = is_proven};
	stall.front.sequence = sequence;
	stall.front.work = WORK_KERNEL;
	stall.front.launch.function = FUNCTION;
	status.now_ns = now_ns;
	status.stalls.n = 1;
	status.stalls.rows[0] = stall;
	hang_rows_begin(&rows);
	uint32_t n = hang_rows_add(&rows, &status, LIMIT, must_be_awaited);
	hang_rows_end(&rows);
	return n;
}

static bool is_proven(void)
{
	return hang_rows_find(&rows, PID, STREAM)->proven_ns != 0;
}

static void test_proven(void)
{
	start(0);
	CHECK_EQUAL(look(100, 1, true, false), 0);
	CHECK_EQUAL(look(100 + LIMIT - 1, 1, true, false), 0);
	CHECK_EQUAL(look(100 + LIMIT, 1, true, false), 1);
	CHECK(is_proven());
	CHECK_EQUAL(look(100 + LIMIT, 2, true, false), 0);
}

/* The first snapshot came before the GPU had started it: the limit is counted from the second. */
static void test_first_is_too_early(void)
{
	start(100);
	CHECK_EQUAL(look(100, 1, false, false), 0);
	CHECK_EQUAL(look(150, 1, true, false), 0);
	CHECK_EQUAL(look(100 + LIMIT, 1, true, false), 0);
	CHECK_EQUAL(look(150 + LIMIT, 1, true, false), 1);
	CHECK(is_proven());
}

/* Counters that come and go do not put it off for ever, but it is not proven. */
static void test_proof_is_lost(void)
{
	start(100);
	CHECK_EQUAL(look(100, 1, true, false), 0);
	CHECK_EQUAL(look(200, 1, false, false), 0);
	CHECK_EQUAL(look(300, 1, true, false), 0);
	CHECK_EQUAL(look(100 + LIMIT, 1, false, false), 1);
	CHECK(!is_proven());
}

static void test_waits(void)
{
	start(0);
	CHECK_EQUAL(look(100, 1, false, false), 0);
	CHECK_EQUAL(look(100 + LIMIT, 1, false, false), 0);
	start(200);
	CHECK_EQUAL(look(100, 1, true, true), 0);
	CHECK_EQUAL(look(199 + LIMIT, 1, true, true), 0);
	CHECK_EQUAL(look(200 + LIMIT, 1, true, true), 1);
}

/* A kernel that was stuck and finished counts as stuck again after twice that time. */
static void test_long_kernel(void)
{
	start(0);
	CHECK_EQUAL(look(100, 1, true, false), 0);
	CHECK_EQUAL(look(100 + LIMIT, 1, true, false), 1);
	CHECK_EQUAL(look(5000, 2, true, false), 0);
	CHECK_EQUAL(look(5000 + 2 * LIMIT - 1, 2, true, false), 0);
	CHECK_EQUAL(look(5000 + 2 * LIMIT, 2, true, false), 1);
}

int main(void)
{
	test_proven();
	test_first_is_too_early();
	test_proof_is_lost();
	test_waits();
	test_long_kernel();
	return 0;
}

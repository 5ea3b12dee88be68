/*
 * test_run_time.c - which earlier launches count for how long a kernel takes, and until which wait.
 */
#include "progress/run_time.h"

#include "support/check.h"
#include "support/verdict_case.h"

static struct verdict_case *c;
static uint32_t stream, kernel;

static uint64_t launch(uint32_t function)
{
	builder_time(&c->builder, 1);
	builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	return c->builder.sequence;
}

/* A thread waits up to this number of the stream, `ms` later. */
static void wait_in(uint32_t tid, uint64_t ordinal, uint64_t ms)
{
	builder_time(&c->builder, ms);
	struct journal_record *record = builder_record(&c->builder, tid, RECORD_SYNC);
	record->sequence = c->builder.sequence;
	record->stream = stream;
	record->ordinal = ordinal;
}

static void wait_for(uint64_t ordinal, uint64_t ms)
{
	wait_in(CASE_TID, ordinal, ms);
}

static struct run_time snapshot(uint64_t sequence, uint64_t ms)
{
	const struct journal_record *record = case_find(c, sequence);
	builder_view(&c->builder, &c->view);
	return run_time_of(&c->view, record, record->time_ns + ms * 1000000);
}

static uint64_t in_ms(uint64_t ns)
{
	return ns / 1000000;
}

static void begin(void)
{
	c = case_begin();
	stream = case_stream(c);
	kernel = builder_function(&c->builder, "kernel", 0, NULL);
}

/* A launch takes at most until the first wait for it, in whichever thread's ring. */
static void test_first_wait(void)
{
	begin();
	launch(kernel);
	uint32_t own = stream;
	stream = case_stream(c);
	wait_for(1, 2); /* for another stream */
	stream = own;
	wait_in(CASE_TID + 1, 1, 3);
	wait_for(1, 40);
	CHECK_EQUAL(in_ms(snapshot(launch(kernel), 0).earlier_ns), 5);
	wait_for(1, 40); /* not for this one */
	wait_in(CASE_TID + 1, 2, 10);
	wait_for(2, 40);
	struct run_time time = snapshot(launch(kernel), 7);
	CHECK_EQUAL(in_ms(time.longest_ns), 7);
	CHECK_EQUAL(time.n_earlier, 2);
	CHECK_EQUAL(in_ms(time.earlier_ns), 50);
	case_end(c);
}

static void test_no_other_launches(void)
{
	begin();
	uint32_t other = builder_function(&c->builder, "other", 0, NULL);
	launch(other);
	wait_for(1, 5);
	launch(kernel); /* no call waits for it */
	struct run_time time = snapshot(launch(kernel), 0);
	CHECK_EQUAL(time.longest_ns, 0);
	CHECK_EQUAL(time.n_earlier, 0);
	CHECK_EQUAL(time.earlier_ns, 0);
	launch(kernel); /* a later launch is not an earlier one */
	wait_for(4, 5);
	CHECK_EQUAL(snapshot(3, 0).n_earlier, 1);
	CHECK_EQUAL(snapshot(launch(kernel), 0).n_earlier, 3);
	case_find(c, 4)->ordinal = 0; /* of unknown order: no wait is surely for it */
	CHECK_EQUAL(snapshot(5, 0).n_earlier, 2);
	case_find(c, 2)->result = 1;
	CHECK_EQUAL(snapshot(5, 0).n_earlier, 1);
	case_find(c, 3)->kind = RECORD_CAPTURED; /* it went into a graph and did not run */
	CHECK_EQUAL(snapshot(5, 0).n_earlier, 0);
	case_end(c);
}

/* A wait for a context covers the newest launch. A wait at a launch's own time is not after it. */
static void test_wait_for_context(void)
{
	begin();
	launch(kernel);
	wait_for(1, 5);
	launch(kernel);
	uint32_t own = stream;
	stream = 0;
	wait_for(0, 7);
	stream = own;
	CHECK_EQUAL(snapshot(launch(kernel), 0).n_earlier, 2);
	CHECK_EQUAL(in_ms(snapshot(3, 0).earlier_ns), 7);
	case_find(c, 2)->time_ns = c->builder.time_ns; /* after all waits */
	CHECK_EQUAL(snapshot(3, 0).n_earlier, 1);
	wait_for(2, 0);
	case_find(c, 2)->time_ns = c->builder.time_ns;
	CHECK_EQUAL(snapshot(3, 0).n_earlier, 1);
	case_end(c);
}

/* Only the newest launches count. Other work may have the same bytes in its row. */
static void test_newest(void)
{
	enum { N_LAUNCHES = 20, N_NEWEST = 16 };
	begin();
	for (uint64_t i = 1; i <= N_LAUNCHES; i++) {
		launch(kernel);
		wait_for(i, i <= N_LAUNCHES - N_NEWEST ? 40 : 5);
	}
	struct run_time time = snapshot(launch(kernel), 0);
	CHECK_EQUAL(time.n_earlier, N_NEWEST);
	CHECK_EQUAL(in_ms(time.earlier_ns), 5);
	for (uint64_t i = 1; i <= N_LAUNCHES - N_NEWEST + 1; i++)
		case_find(c, i)->work = WORK_GRAPH;
	time = snapshot(N_LAUNCHES + 1, 0);
	CHECK_EQUAL(time.n_earlier, N_NEWEST - 1);
	case_end(c);
}

int main(void)
{
	test_first_wait();
	test_no_other_launches();
	test_wait_for_context();
	test_newest();
	return 0;
}

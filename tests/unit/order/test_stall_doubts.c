/*
 * test_stall_doubts.c - what is not claimed of a stream whose state is in doubt: bundles that
 * contradict themselves, counters that are older than the work, and rows that get another use while
 * they are read. test_stall.c has the other cases.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "progress/stall.h"

#include "support/check.h"
#include "support/words_case.h"

enum { NOW_NS = 5000 };

static struct reading_time read_time = {.ns = NOW_NS};
static struct stalls stalls;
static unsigned n_calls, n_usable = UINT_MAX;

/* From the n-th look at a channel on, its row has another use. */
const struct channel_row *__real_view_channel(const struct bundle_view *view, uint32_t id);
const struct channel_row *__wrap_view_channel(const struct bundle_view *view, uint32_t id);
const struct channel_row *__wrap_view_channel(const struct bundle_view *view, uint32_t id)
{
	return n_calls++ < n_usable ? __real_view_channel(view, id) : NULL;
}

static int snapshot(struct verdict_case *c)
{
	builder_view(&c->builder, &c->view);
	size_t size = stalls_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	int error = stalls_find(&c->view, &read_time, scratch, size, &stalls);
	free(scratch);
	return error;
}

static void test_contradiction(void)
{
	struct verdict_case *c = words_begin(1);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 2, 0);
	CHECK_EQUAL(snapshot(c), 0);
	CHECK_EQUAL(stalls.n, 1);
	builder_stream_row(&c->builder, stream)->synced = 99;
	CHECK_EQUAL(snapshot(c), -EBADMSG);
	CHECK_EQUAL(stalls.n, 0);
	uint64_t scratch = 0;
	CHECK_EQUAL(stalls_find(&c->view, &read_time, &scratch, sizeof(scratch), &stalls), -ENOMEM);
	case_end(c);
}

/* A wait for a value that the next kernel shows as unfinished, and one that also has an event. */
static void test_value_wait(void)
{
	struct verdict_case *c = words_begin(1);
	uint32_t source = case_stream(c);
	uint32_t stream = case_stream(c);
	words_launch(c, source, 1, 0);
	words_launch(c, stream, 1, 0);
	struct journal_record *record = words_submit(c, stream, WORK_MEMOP);
	record->progress = (struct record_progress){0};
	record->call = builder_string(&c->builder, "cuStreamWaitValue32_v2");
	words_launch(c, stream, 1, 0);
	builder_mark(&c->builder, source, 1);
	builder_mark(&c->builder, stream, 1);
	builder_channel_row(&c->builder, counters_channel)->started = 3;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK(stalls.n == 1 && stalls.rows[0].kind == STALL_VALUE && stalls.rows[0].is_proven);
	case_find(c, 4)->progress.channel = 0;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK(stalls.rows[0].kind == STALL_VALUE && !stalls.rows[0].is_proven);
	case_end(c);

	c = words_begin(0);
	source = case_stream(c);
	stream = case_stream(c);
	words_launch(c, source, 1, 0);
	builder_wait(&c->builder, CASE_TID, stream, source, 1);
	record = words_submit(c, stream, WORK_MEMOP);
	record->call = builder_string(&c->builder, "cuStreamWaitValue32_v2");
	CHECK_EQUAL(snapshot(c), 0);
	CHECK(stalls.n == 2 && stalls.rows[1].kind == STALL_EVENT && stalls.rows[1].is_proven);
	case_end(c);
}

/* Work without a number is before a kernel that has not started. Whether it runs is not known. */
static void test_before_a_waiting_kernel(void)
{
	static const enum work_kind kinds[] = {WORK_COPY, WORK_MEMOP, WORK_KERNEL, WORK_HOST_FUNC};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct verdict_case *c = words_begin(1);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 1, 0);
		words_submit(c, stream, kinds[i])->progress = (struct record_progress){0};
		words_launch(c, stream, 1, 0);
		builder_mark(&c->builder, stream, 1);
		CHECK_EQUAL(snapshot(c), 0);
		CHECK_EQUAL(stalls.n, 1);
		bool is_function = kinds[i] == WORK_HOST_FUNC;
		CHECK_EQUAL(stalls.rows[0].front.sequence, 2);
		CHECK_EQUAL(stalls.rows[0].kind, is_function ? STALL_FUNCTION : STALL_MAY_RUN);
		CHECK_EQUAL(stalls.rows[0].is_proven, is_function);
		case_end(c);
	}
}

/* The GPU's clock may be ahead of the host's. */
static void test_start(void)
{
	struct verdict_case *c = words_begin(1);
	words_launch(c, case_stream(c), 1, 0);
	case_find(c, 1)->time_ns = 1000;
	builder_channel_row(&c->builder, counters_channel)->started_gpu_ns = 7000;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK(stalls.rows[0].has_started_ns && stalls.rows[0].started_gpu_ns == 7000);
	CHECK(stalls.has_offset);
	CHECK_EQUAL(stalls.offset_low, -6000);
	CHECK_EQUAL(stalls.offset_high, -2000);
	case_end(c);
}

static void test_unordered(void)
{
	struct verdict_case *c = words_begin(1);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 2, 0);
	case_find(c, 2)->flags = RECORD_UNORDERED;
	case_find(c, 2)->ordinal = 0;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK_EQUAL(stalls.n_unplaced, 1);
	case_end(c);
}

/* The state was read before the kernel was submitted. A wait proves by now that it is finished. */
static void test_old_state(void)
{
	struct verdict_case *c = words_begin(1);
	uint32_t stream = case_stream(c);
	uint32_t waiter = case_stream(c);
	words_launch(c, stream, 1, 0);
	builder_wait(&c->builder, CASE_TID, waiter, stream, 1);
	words_launch(c, waiter, 2, 0);
	builder_mark(&c->builder, waiter, 1);
	words_set_state(c, 1, 0, 1);
	for (uint64_t i = 1; i <= 3; i++)
		case_find(c, i)->time_ns = NOW_NS; /* no earlier than the reading */
	read_time.is_past = true;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK_EQUAL(stalls.trouble, COUNTERS_NO_TROUBLE);
	CHECK(stalls.n == 1 && stalls.rows[0].front.sequence == 3);
	read_time.ns++;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK_EQUAL(stalls.trouble, COUNTERS_AGAINST_DONE);
	read_time = (struct reading_time){.ns = NOW_NS};
	case_end(c);
}

/* A kernel waits for its queue, which another stream's kernel holds; a third one's has started. */
static void test_reused_rows(void)
{
	struct verdict_case *c = words_begin(1);
	words_launch(c, case_stream(c), 1, 0);
	words_launch(c, case_stream(c), 2, 0);
	builder_channel_row(&c->builder, counters_channel)->started_gpu_ns = 400;
	builder_channel_row(&c->builder, counters_channel)->trust = CHANNEL_UNCHECKED;
	builder_channel_row(&c->builder, counters_channel)->n_checks = CHECKS_OF_TRUST;
	n_calls = 0;
	CHECK_EQUAL(snapshot(c), 0);
	CHECK(stalls.rows[1].kind == STALL_QUEUE && stalls.has_offset);
	unsigned n_all = n_calls;
	CHECK(n_all > 10);
	for (n_usable = 0; n_usable < n_all; n_usable++) {
		n_calls = 0;
		CHECK_EQUAL(snapshot(c), 0);
		CHECK_EQUAL(stalls.n, 2);
	}
	n_usable = UINT_MAX;
	case_end(c);
}

int main(void)
{
	test_contradiction();
	test_value_wait();
	test_before_a_waiting_kernel();
	test_start();
	test_unordered();
	test_old_state();
	test_reused_rows();
	return 0;
}

/*
 * test_stall.c - what streams are doing: what runs, what waits for what, and what is not claimed
 * where the driver's counters are missing or contradict the rest.
 */
#include "progress/stall.h"

#include <stdlib.h>

#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

enum { NOW_NS = 5000 };

static struct stalls stalls;
static uint32_t channel;

static struct verdict_case *begin(uint32_t started)
{
	struct verdict_case *c = case_begin();
	channel = builder_channel(&c->builder, c->context, started);
	return c;
}

/* A submission's payload is its number. */
static struct journal_record *submit(struct verdict_case *c, uint32_t stream, enum work_kind work)
{
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, stream, work);
	record->progress.channel = channel;
	record->progress.payload = (uint32_t)record->sequence;
	return record;
}

static void set_state(struct verdict_case *c, uint64_t sequence, uint32_t value)
{
	struct journal_record *record = case_find(c, sequence);
	record->progress.state = builder_kernel_state(&c->builder, record->stream, value);
	record->progress.turn = 1;
}

static struct reading_time read_time = {.ns = NOW_NS};

static void snapshot(struct verdict_case *c)
{
	builder_view(&c->builder, &c->view);
	size_t size = stalls_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK_EQUAL(stalls_find(&c->view, &read_time, scratch, size, &stalls), 0);
	free(scratch);
}

static void check_row(uint32_t index, enum stall_kind kind, bool is_proven, uint64_t front)
{
	const struct stall *row = &stalls.rows[index];
	CHECK(index < stalls.n);
	CHECK_EQUAL(row->kind, kind);
	CHECK_EQUAL(row->is_proven, is_proven);
	CHECK_EQUAL(row->front.sequence, front);
}

static void test_runs(void)
{
	struct verdict_case *c = begin(3);
	uint32_t stream = case_stream(c);
	for (int i = 0; i < 6; i++)
		submit(c, stream, WORK_KERNEL);
	snapshot(c);
	/* The next kernel had not started, so this one has not finished. */
	check_row(0, STALL_RUNS, true, 3);
	CHECK_EQUAL(stalls.rows[0].n_behind, 3);
	CHECK_EQUAL(stalls.rows[0].done_sequence, 2);
	CHECK_EQUAL(stalls.rows[0].newest_sequence, 6);
	case_end(c);
}

/* After the last kernel, only the kernel's own state shows whether it has finished. */
static void test_last(void)
{
	struct verdict_case *c = begin(2);
	uint32_t stream = case_stream(c);
	submit(c, stream, WORK_KERNEL);
	submit(c, stream, WORK_KERNEL);
	snapshot(c);
	check_row(0, STALL_RUNS, false, 2);
	set_state(c, 2, 1);
	snapshot(c);
	check_row(0, STALL_RUNS, true, 2);
	builder_kernel_state_row(&c->builder, 1)->value = 2;
	snapshot(c);
	CHECK_EQUAL(stalls.n, 0);
	case_end(c);
}

/* A copy may have several pieces, of which the last one waits: it may have started. */
static void test_next_is_a_copy(void)
{
	struct verdict_case *c = begin(1);
	uint32_t stream = case_stream(c);
	submit(c, stream, WORK_KERNEL);
	submit(c, stream, WORK_COPY);
	snapshot(c);
	check_row(0, STALL_RUNS, false, 1);
	case_end(c);
}

static void test_queue(void)
{
	struct verdict_case *c = begin(1);
	uint32_t first = case_stream(c);
	uint32_t second = case_stream(c);
	submit(c, first, WORK_KERNEL);
	set_state(c, 1, 1);
	submit(c, second, WORK_KERNEL);
	snapshot(c);
	check_row(0, STALL_RUNS, true, 1);
	check_row(1, STALL_QUEUE, true, 2);
	CHECK_EQUAL(stalls.rows[1].source, first);
	CHECK_EQUAL(stalls.rows[1].source_sequence, 1);
	case_end(c);
}

/* The rows after the last one of each table are what earlier tables left in the memory. */
static void test_rows_in_use(void)
{
	struct verdict_case *c = begin(1);
	const struct moment moment = {.sequence = UINT64_MAX, .time_ns = UINT64_MAX};
	struct progress progress;
	uint32_t stream = case_stream(c);
	uint32_t other = case_stream(c);
	submit(c, stream, WORK_KERNEL)->progress.payload = 5;
	submit(c, other, WORK_KERNEL)->progress.channel = 0;
	builder_channel_row(&c->builder, channel)->started_gpu_ns = 400;
	builder_view(&c->builder, &c->view);
	size_t size = stalls_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK_EQUAL(progress_read(&c->view, &moment, true, scratch, size, &progress), 0);
	CHECK(progress.n_open == 2 && progress.n_edges == 0);
	progress.open[2] = progress.open[0];
	progress.open[2].payload = 1;
	progress.open[2].said = COUNTERS_STARTED;
	progress.edges[0] =
		(struct order_edge){.waiter = stream, .source = other, .source_ordinal = 1};
	progress.other_edges[0] = progress.edges[0];
	CHECK_EQUAL(stalls_find(&c->view, &read_time, scratch, size, &stalls), 0);
	check_row(0, STALL_QUEUE, false, 1);
	CHECK(!stalls.has_offset);
	free(scratch);
	case_end(c);
}

/* The event has happened, as a counter shows. Then another stream holds the queue. */
static void test_event_that_happened(void)
{
	struct verdict_case *c = begin(2);
	uint32_t stream = case_stream(c);
	uint32_t source = case_stream(c);
	submit(c, source, WORK_KERNEL);
	submit(c, source, WORK_KERNEL);
	builder_wait(&c->builder, CASE_TID, stream, source, 1);
	submit(c, stream, WORK_KERNEL);
	snapshot(c);
	check_row(0, STALL_QUEUE, true, 3);
	CHECK_EQUAL(stalls.rows[0].source_sequence, 2);
	case_end(c);
}

/* Work after the wait waits for the event, and work before it does not. */
static void test_event(void)
{
	struct verdict_case *c = begin(0);
	uint32_t stream = case_stream(c);
	uint32_t source = case_stream(c);
	submit(c, source, WORK_KERNEL);
	submit(c, stream, WORK_KERNEL);
	builder_wait(&c->builder, CASE_TID, stream, source, 1);
	submit(c, stream, WORK_KERNEL);
	snapshot(c);
	CHECK_EQUAL(stalls.rows[0].front.sequence, 2);
	CHECK(stalls.rows[0].kind != STALL_EVENT);
	builder_mark(&c->builder, stream, 1);
	snapshot(c);
	CHECK_EQUAL(stalls.rows[0].front.sequence, 3);
	CHECK_EQUAL(stalls.rows[0].kind, STALL_EVENT);
	CHECK_EQUAL(stalls.rows[0].source, source);
	CHECK_EQUAL(stalls.rows[0].source_sequence, 1);
	/* The source's record is lost. Another stream has work of the same ordinal. */
	submit(c, case_stream(c), WORK_KERNEL);
	case_find(c, 1)->commit = 0;
	snapshot(c);
	CHECK_EQUAL(stalls.rows[0].source, source);
	CHECK_EQUAL(stalls.rows[0].source_sequence, 0);
	case_end(c);
}

/* The next kernel waits for an event, too: that it has not started says nothing of the front. */
static void test_next_after_event(void)
{
	struct verdict_case *c = begin(1);
	uint32_t stream = case_stream(c);
	uint32_t source = case_stream(c);
	submit(c, stream, WORK_KERNEL);
	submit(c, source, WORK_KERNEL);
	builder_wait(&c->builder, CASE_TID, stream, source, 1);
	submit(c, stream, WORK_KERNEL);
	snapshot(c);
	check_row(0, STALL_RUNS, false, 1);
	case_end(c);
}

static void test_function(void)
{
	struct verdict_case *c = begin(1);
	uint32_t stream = case_stream(c);
	submit(c, stream, WORK_KERNEL);
	struct journal_record *record = submit(c, stream, WORK_HOST_FUNC);
	record->progress = (struct record_progress){0};
	submit(c, stream, WORK_KERNEL);
	builder_mark(&c->builder, stream, 1);
	snapshot(c);
	check_row(0, STALL_FUNCTION, true, 2);
	case_end(c);
}

/*
 * The clocks' offset lies between a start's call and now, both by the host's clock, less the start
 * by the GPU's. It is unknown without a start, or if two starts contradict each other.
 */
static void test_offset(void)
{
	struct verdict_case *c = begin(1);
	uint32_t first = channel;
	struct journal_record *record = submit(c, case_stream(c), WORK_KERNEL);
	snapshot(c);
	CHECK(!stalls.has_offset && !stalls.rows[0].has_started_ns);
	builder_channel_row(&c->builder, first)->started_gpu_ns = 400;
	record->time_ns = 1000;
	snapshot(c);
	CHECK(stalls.has_offset);
	CHECK_EQUAL(stalls.offset_low, 600);
	CHECK_EQUAL(stalls.offset_high, NOW_NS - 400);

	channel = builder_channel(&c->builder, c->context, 2);
	record = submit(c, case_stream(c), WORK_KERNEL);
	record->time_ns = 1000;
	builder_channel_row(&c->builder, channel)->started_gpu_ns = 300;
	snapshot(c);
	CHECK_EQUAL(stalls.offset_low, 700);
	CHECK_EQUAL(stalls.offset_high, NOW_NS - 400);
	record->time_ns = NOW_NS - 100; /* the only offset that fits both */
	snapshot(c);
	CHECK(stalls.has_offset);
	CHECK_EQUAL(stalls.offset_low, stalls.offset_high);
	record->time_ns++;
	snapshot(c);
	CHECK(!stalls.has_offset);
	case_end(c);
}

/* The channel's time is that of the newest start on it alone. */
static void test_offset_of_newest_start(void)
{
	struct verdict_case *c = begin(2);
	submit(c, case_stream(c), WORK_KERNEL)->time_ns = 4000;
	submit(c, case_stream(c), WORK_KERNEL)->time_ns = 1000;
	builder_channel_row(&c->builder, channel)->started_gpu_ns = 400;
	snapshot(c);
	CHECK_EQUAL(stalls.n, 2);
	CHECK_EQUAL(stalls.offset_low, 600);
	CHECK(!stalls.rows[0].has_started_ns && stalls.rows[1].has_started_ns);
	case_end(c);
}

/* A channel whose counter is not trusted shows no start, whatever the counter is. */
static void test_no_start_without_trust(void)
{
	struct verdict_case *c = begin(1);
	submit(c, case_stream(c), WORK_KERNEL);
	channel = builder_channel(&c->builder, c->context, 2);
	builder_channel_row(&c->builder, channel)->trust = CHANNEL_UNCHECKED;
	builder_channel_row(&c->builder, channel)->n_checks = 0;
	builder_channel_row(&c->builder, channel)->started_gpu_ns = 400;
	submit(c, case_stream(c), WORK_KERNEL);
	snapshot(c);
	check_row(1, STALL_MAY_RUN, false, 2);
	CHECK(stalls.has_counters && !stalls.has_offset);
	CHECK(!stalls.rows[1].has_started_ns);
	case_end(c);
}

/* Only a wait for a value is named as such, and no other memory operation. */
static void test_value_wait(void)
{
	static const char *const calls[] = {"cuStreamWaitValue32_v2", "cuStreamWriteValue32_v2"};
	for (int i = 0; i < 2; i++) {
		struct verdict_case *c = begin(1);
		uint32_t stream = case_stream(c);
		submit(c, stream, WORK_KERNEL);
		struct journal_record *record = submit(c, stream, WORK_MEMOP);
		record->progress = (struct record_progress){0};
		record->call = builder_string(&c->builder, calls[i]);
		builder_mark(&c->builder, stream, 1);
		snapshot(c);
		CHECK_EQUAL(stalls.n, 1);
		CHECK_EQUAL(stalls.rows[0].kind == STALL_VALUE, i == 0);
		case_end(c);
	}
}

/* Counters that contradict a sync are not used. */
static void test_refused(void)
{
	struct verdict_case *c = begin(1);
	uint32_t stream = case_stream(c);
	for (int i = 0; i < 4; i++)
		submit(c, stream, WORK_KERNEL);
	builder_mark(&c->builder, stream, 3);
	snapshot(c);
	check_row(0, STALL_MAY_RUN, false, 4);
	CHECK(!stalls.has_counters);
	CHECK_EQUAL(stalls.trouble, COUNTERS_AGAINST_DONE);
	case_end(c);
}

/* Counters that show a start before the event that the work waits for are not used either. */
static void test_refused_for_an_event(void)
{
	struct verdict_case *c = begin(2);
	uint32_t stream = case_stream(c);
	uint32_t source = case_stream(c);
	submit(c, source, WORK_KERNEL);
	set_state(c, 1, 1);
	builder_wait(&c->builder, CASE_TID, stream, source, 1);
	submit(c, stream, WORK_KERNEL);
	snapshot(c);
	check_row(0, STALL_EVENT, true, 2);
	CHECK(!stalls.has_counters);
	CHECK_EQUAL(stalls.trouble, COUNTERS_AGAINST_DONE);
	case_end(c);
}

/* The last snapshot of a process that ended says nothing about later submissions. */
static void test_past_readings(void)
{
	struct verdict_case *c = begin(3);
	uint32_t stream = case_stream(c);
	for (int i = 0; i < 5; i++)
		submit(c, stream, WORK_KERNEL)->time_ns = i < 3 ? NOW_NS - 10 : NOW_NS + 10;
	read_time.is_past = true;
	snapshot(c);
	check_row(0, STALL_RUNS, false, 3);
	read_time.ns += 20;
	snapshot(c);
	check_row(0, STALL_RUNS, true, 3);
	/* Later progress does not contradict the counters. It is newer. */
	builder_mark(&c->builder, stream, 4);
	snapshot(c);
	CHECK_EQUAL(stalls.trouble, COUNTERS_NO_TROUBLE);
	check_row(0, STALL_QUEUE, false, 5);
	read_time = (struct reading_time){.ns = NOW_NS};
	snapshot(c);
	CHECK_EQUAL(stalls.trouble, COUNTERS_AGAINST_DONE);
	case_end(c);
}

static void test_nothing(void)
{
	struct verdict_case *c = begin(4);
	uint32_t stream = case_stream(c);
	for (int i = 0; i < 4; i++)
		submit(c, stream, WORK_KERNEL);
	builder_mark(&c->builder, stream, 4);
	snapshot(c);
	CHECK_EQUAL(stalls.n, 0);
	case_end(c);
}

int main(void)
{
	test_runs();
	test_last();
	test_next_is_a_copy();
	test_queue();
	test_event();
	test_rows_in_use();
	test_event_that_happened();
	test_next_after_event();
	test_function();
	test_offset();
	test_offset_of_newest_start();
	test_no_start_without_trust();
	test_value_wait();
	test_refused();
	test_refused_for_an_event();
	test_past_readings();
	test_nothing();
	return 0;
}

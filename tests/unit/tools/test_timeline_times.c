/*
 * test_timeline_times.c - unit tests of timeline_times: bounds of when work started and finished.
 */
#include "timeline/timeline_times.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "timeline/thread_index.h"
#include "timeline/timeline.h"

/* Add the record of a call that waited. The builder's own sync has no record. */
static uint64_t sync_to(struct verdict_case *c, uint32_t stream, uint64_t ordinal)
{
	struct journal_record *record = builder_record(&c->builder, CASE_TID, RECORD_SYNC);
	record->stream = stream;
	record->ordinal = ordinal;
	if (stream)
		builder_sync(&c->builder, stream, ordinal, "cuStreamSynchronize");
	return record->time_ns;
}

struct bounds {
	struct timeline timeline;
	struct timeline_times times;
};

static struct bounds bounds_of(struct verdict_case *c)
{
	case_judge(c, ILLEGAL_ADDRESS);
	struct bounds bounds;
	CHECK_EQUAL(timeline_open(&c->view, &c->verdict, &bounds.timeline), 0);
	CHECK_EQUAL(timeline_times_find(&bounds.timeline, &c->verdict, &bounds.times), 0);
	return bounds;
}

static void close_bounds(struct bounds *bounds)
{
	timeline_times_free(&bounds->times);
	timeline_close(&bounds->timeline);
}

/* Return a submission's bounds by its number, and check that it did not start before its call. */
static struct timeline_span find(const struct bounds *bounds, uint64_t sequence)
{
	struct timeline_span span = {0};
	for (size_t index = 0; index < bounds->timeline.n_works; index++)
		if (bounds->timeline.works[index].sequence == sequence) {
			span = bounds->times.spans[index];
			CHECK(span.started_after_ns >= bounds->timeline.works[index].time_ns);
		}
	CHECK(span.started_after_ns);
	return span;
}

static void test_culprit_between_finished_and_waiting(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	uint64_t synced = sync_to(c, stream, 2);
	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 4);
	struct bounds bounds = bounds_of(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	CHECK_EQUAL(bounds.times.seen_ns, c->verdict.failure.time_ns);
	/* Work covered by the sync is bounded by it; work covered by a marker only, by the failure.
	 */
	CHECK_EQUAL(find(&bounds, 1).finished_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 2).started_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 3).finished_by_ns, c->verdict.failure.time_ns);
	/* The culprit had started and never finished; neither is known of the work after it. */
	CHECK(timeline_is_culprit(&c->verdict, &bounds.timeline.works[4]));
	CHECK_EQUAL(find(&bounds, 5).started_by_ns, c->verdict.failure.time_ns);
	CHECK_EQUAL(find(&bounds, 5).finished_by_ns, 0);
	CHECK(!timeline_is_culprit(&c->verdict, &bounds.timeline.works[5]));
	CHECK_EQUAL(find(&bounds, 6).started_by_ns, 0);
	CHECK_EQUAL(find(&bounds, 6).finished_by_ns, 0);
	close_bounds(&bounds);
	case_end(c);
}

/* With several suspects there is no culprit, and it is not known whether any has started. */
static void test_suspects(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 2);
	struct bounds bounds = bounds_of(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	for (uint64_t sequence = 1; sequence <= 2; sequence++) {
		CHECK(!timeline_is_culprit(&c->verdict, &bounds.timeline.works[sequence - 1]));
		CHECK_EQUAL(find(&bounds, sequence).started_by_ns, 0);
		CHECK_EQUAL(find(&bounds, sequence).finished_by_ns, 0);
	}
	close_bounds(&bounds);
	case_end(c);
}

/*
 * A context sync covers what its thread had submitted. A synchronous copy has finished when the
 * thread makes its next call.
 */
static void test_context_sync_and_copy(void)
{
	struct verdict_case *c = case_begin();
	uint32_t first = case_stream(c);
	uint32_t second = case_stream(c);
	case_launch(c, first, 2);
	case_launch(c, second, 1);
	uint64_t synced = sync_to(c, 0, 0);
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, second, WORK_COPY);
	record->flags |= RECORD_SYNCHRONOUS;
	case_launch(c, first, 1);
	builder_sync(&c->builder, first, 2, "cuCtxSynchronize");
	builder_sync(&c->builder, second, 2, "cuMemcpy");
	struct bounds bounds = bounds_of(c);
	for (uint64_t sequence = 1; sequence <= 3; sequence++)
		CHECK_EQUAL(find(&bounds, sequence).finished_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 4).finished_by_ns, case_find(c, 5)->time_ns);
	close_bounds(&bounds);
	case_end(c);
}

/* With two contexts it is not known which one a context sync was for. */
static void test_context_sync_of_two(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	builder_context(&c->builder, 1, "another device");
	case_launch(c, stream, 2);
	sync_to(c, 0, 0);
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	struct bounds bounds = bounds_of(c);
	CHECK_EQUAL(find(&bounds, 1).finished_by_ns, c->verdict.failure.time_ns);
	close_bounds(&bounds);
	case_end(c);
}

/* A sync that is not believed gives no bound, and work of unknown order has none. */
static void test_nothing_known(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 1);
	struct journal_record *record = builder_record(&c->builder, CASE_TID, RECORD_SYNC);
	record->stream = stream;
	record->ordinal = 1; /* not known to the stream's row */
	record = builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	record->flags |= RECORD_UNORDERED;
	struct bounds bounds = bounds_of(c);
	CHECK_EQUAL(find(&bounds, 1).finished_by_ns, 0);
	CHECK_EQUAL(find(&bounds, 2).started_after_ns, case_find(c, 2)->time_ns);
	CHECK_EQUAL(find(&bounds, 2).finished_by_ns, 0);
	close_bounds(&bounds);
	case_end(c);
}

static void check_label(const struct thread_index *index, uint32_t tid, const char *wanted)
{
	char buffer[64] = "";
	struct text text = text_in(buffer, sizeof(buffer));
	thread_index_label(index, tid, &text);
	CHECK_STRING(buffer, wanted);
}

/* A tid may be used again: the newest thread's name counts. */
static void test_threads(void)
{
	static const char *const names[] = {"oldest", "newest", "older"};
	static const uint64_t starts[] = {10, 30, 20};
	struct verdict_case *c = case_begin();
	struct thread_index index;
	for (uint32_t i = 0; i < 3; i++) {
		c->builder.time_ns = starts[i];
		builder_thread(&c->builder, 7, names[i]);
	}
	builder_thread(&c->builder, 5, "first");
	builder_thread(&c->builder, 9, "last");
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(thread_index_make(&c->view, &index), 0);
	check_label(&index, 5, "thread 5 \"first\"");
	check_label(&index, 7, "thread 7 \"newest\"");
	check_label(&index, 9, "thread 9 \"last\"");
	check_label(&index, 6, "thread 6");
	check_label(&index, 4, "thread 4");
	check_label(&index, UINT32_MAX, "thread 4294967295");
	thread_index_free(&index);
	case_end(c);
}

int main(void)
{
	test_culprit_between_finished_and_waiting();
	test_suspects();
	test_context_sync_and_copy();
	test_context_sync_of_two();
	test_nothing_known();
	test_threads();
	return 0;
}

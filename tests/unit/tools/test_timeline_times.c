/*
 * test_timeline_times.c - what is said of when work began and ended, from bundles of which all is
 * known.
 */
#include "timeline/timeline_times.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "timeline/timeline.h"

/* As a call that waited leaves it; the builder's own proves without a record. */
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
	struct bounds bounds;

	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(timeline_open(&c->view, &c->verdict, &bounds.timeline), 0);
	CHECK_EQUAL(timeline_times_find(&bounds.timeline, &c->verdict, &bounds.times), 0);
	return bounds;
}

static void close_bounds(struct bounds *bounds)
{
	timeline_times_free(&bounds->times);
	timeline_close(&bounds->timeline);
}

/* By its number; also checks that nothing is said to begin before its call. */
static struct timeline_span find(const struct bounds *bounds, uint64_t sequence)
{
	struct timeline_span span = {0};

	for (size_t index = 0; index < bounds->timeline.n_works; index++)
		if (bounds->timeline.works[index].sequence == sequence) {
			span = bounds->times.spans[index];
			CHECK(span.begun_after_ns >= bounds->timeline.works[index].time_ns);
		}
	CHECK(span.begun_after_ns);
	return span;
}

static void test_culprit_between_finished_and_waiting(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct bounds bounds;
	uint64_t synced;

	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	synced = sync_to(c, stream, 2);
	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 4);
	bounds = bounds_of(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	CHECK_EQUAL(bounds.times.seen_ns, c->verdict.failure.time_ns);
	/* What the sync proved is bounded by it, what only a marker did by the failure. */
	CHECK_EQUAL(find(&bounds, 1).ended_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 2).begun_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 3).ended_by_ns, c->verdict.failure.time_ns);
	/* The culprit had begun, and never ended; of what was behind it neither is known. */
	CHECK(timeline_is_culprit(&c->verdict, &bounds.timeline.works[4]));
	CHECK_EQUAL(find(&bounds, 5).begun_by_ns, c->verdict.failure.time_ns);
	CHECK_EQUAL(find(&bounds, 5).ended_by_ns, 0);
	CHECK(!timeline_is_culprit(&c->verdict, &bounds.timeline.works[5]));
	CHECK_EQUAL(find(&bounds, 6).begun_by_ns, 0);
	CHECK_EQUAL(find(&bounds, 6).ended_by_ns, 0);
	close_bounds(&bounds);
	case_end(c);
}

/* Of several suspects none is the culprit, and nobody knows whether one has begun. */
static void test_suspects(void)
{
	struct verdict_case *c = case_begin();
	struct bounds bounds;

	case_launch(c, case_stream(c), 2);
	bounds = bounds_of(c);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	for (uint64_t sequence = 1; sequence <= 2; sequence++) {
		CHECK(!timeline_is_culprit(&c->verdict, &bounds.timeline.works[sequence - 1]));
		CHECK_EQUAL(find(&bounds, sequence).begun_by_ns, 0);
		CHECK_EQUAL(find(&bounds, sequence).ended_by_ns, 0);
	}
	close_bounds(&bounds);
	case_end(c);
}

/* A context's sync is of what its thread had submitted; a copy that waited ends at the next call.
 */
static void test_context_sync_and_copy(void)
{
	struct verdict_case *c = case_begin();
	uint32_t first = case_stream(c), second = case_stream(c);
	struct bounds bounds;
	struct journal_record *record;
	uint64_t synced;

	case_launch(c, first, 2);
	case_launch(c, second, 1);
	synced = sync_to(c, 0, 0);
	record = builder_submit(&c->builder, CASE_TID, second, WORK_COPY);
	record->flags |= RECORD_SYNCHRONOUS;
	case_launch(c, first, 1);
	builder_sync(&c->builder, first, 2, "cuCtxSynchronize");
	builder_sync(&c->builder, second, 2, "cuMemcpy");
	bounds = bounds_of(c);
	for (uint64_t sequence = 1; sequence <= 3; sequence++)
		CHECK_EQUAL(find(&bounds, sequence).ended_by_ns, synced);
	CHECK_EQUAL(find(&bounds, 4).ended_by_ns, case_find(c, 5)->time_ns);
	close_bounds(&bounds);
	case_end(c);
}

/* Where there are two contexts, nobody knows whose such a sync was. */
static void test_context_sync_of_two(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct bounds bounds;

	builder_context(&c->builder, 1, "another device");
	case_launch(c, stream, 2);
	sync_to(c, 0, 0);
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	bounds = bounds_of(c);
	CHECK_EQUAL(find(&bounds, 1).ended_by_ns, c->verdict.failure.time_ns);
	close_bounds(&bounds);
	case_end(c);
}

/* A sync whose success is not believed bounds nothing; nor is anything bound of unknown order. */
static void test_nothing_known(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct bounds bounds;
	struct journal_record *record;

	case_launch(c, stream, 1);
	record = builder_record(&c->builder, CASE_TID, RECORD_SYNC);
	record->stream = stream;
	record->ordinal = 1; /* the stream's row knows nothing of it */
	record = builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	record->flags |= RECORD_UNORDERED;
	bounds = bounds_of(c);
	CHECK_EQUAL(find(&bounds, 1).ended_by_ns, 0);
	CHECK_EQUAL(find(&bounds, 2).begun_after_ns, case_find(c, 2)->time_ns);
	CHECK_EQUAL(find(&bounds, 2).ended_by_ns, 0);
	close_bounds(&bounds);
	case_end(c);
}

int main(void)
{
	test_culprit_between_finished_and_waiting();
	test_suspects();
	test_context_sync_and_copy();
	test_context_sync_of_two();
	test_nothing_known();
	return 0;
}

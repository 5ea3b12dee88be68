/*
 * test_attribution_markers.c - what markers prove, and what they only suggest.
 */
#include "attribution/attribution.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

static void test_no_markers_narrow_nothing(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 10);
	builder_sync(&c->builder, stream, 7, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 8);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 9) && case_suspects(c, 10));
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKERS_SPARSE)->count, 3);
	case_end(c);
}

static void test_inline_markers_prove(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 80, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 69);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 70);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKER_INLINE)->ordinal, 69);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_STREAM_ORDER)->count, 10);
	CHECK_EQUAL(c->verdict.streams[0].waiting.n, 10);
	CHECK_EQUAL(c->verdict.streams[0].waiting.first, 71);
	CHECK_EQUAL(c->verdict.streams[0].waiting.last, 80);
	CHECK_EQUAL(c->verdict.streams[0].n_suspects, 1);
	case_end(c);
}

/* Return how many suspects only side markers hold back. */
static uint64_t n_lagging(const struct verdict_case *c)
{
	const struct evidence *lag = case_evidence(c, EVIDENCE_MARKERS_LAG);
	return lag ? lag->count : 0;
}

/* A side marker's absence proves nothing: 8 may run although the marker of 7 has not landed. */
static void test_side_markers_may_lag(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 10, RECORD_MARKED_SIDE);
	builder_mark(&c->builder, stream, 6);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 7);
	CHECK_EQUAL(c->verdict.n_suspects, 4);
	CHECK(case_suspects(c, 8) && case_suspects(c, 10));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKERS_LAG)->count, 3);
	CHECK(!case_evidence(c, EVIDENCE_MARKER_INLINE));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKER)->ordinal, 6);
	case_end(c);
}

/* With markers that are not shared, launches after a missing one are listed last. */
static void test_side_markers_rank(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch_flagged(c, a, 3, RECORD_MARKED_SIDE);
	case_launch(c, b, 2); /* 4 and 5: no marker holds them back */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 5);
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 4);
	CHECK_EQUAL(c->verdict.suspects[2].record.sequence, 5);
	CHECK_EQUAL(n_lagging(c), 2);
	case_end(c);
}

/*
 * Two streams share one side stream. The marker of `b` waits in line after the marker of a long
 * kernel of `a`, so b's culprit is not its first unmarked launch.
 */
static void test_shared_side_stream(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch_flagged(c, a, 1, RECORD_MARKED_SIDE); /* 1: runs long */
	case_launch_flagged(c, b, 3, RECORD_MARKED_SIDE); /* 2, 3 are done, 4 is at fault */
	builder_stream_row(&c->builder, a)->side = 1;
	builder_stream_row(&c->builder, b)->side = 2;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(n_lagging(c), 2);
	builder_stream_row(&c->builder, b)->side = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(n_lagging(c), 0);
	/* An inline marker waits for no other stream's marker. */
	case_find(c, 3)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK(!case_suspects(c, 4));
	case_end(c);
}

/* Two threads: b's long kernel has the higher number, but its marker was queued first. */
static void test_shared_side_stream_in_another_order(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch_flagged(c, a, 2, RECORD_MARKED_SIDE); /* 1 is done, 2 is at fault */
	builder_submit(&c->builder, CASE_TID + 1, b, WORK_KERNEL)->flags = RECORD_MARKED_SIDE;
	builder_stream_row(&c->builder, a)->side = 1;
	builder_stream_row(&c->builder, b)->side = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK_EQUAL(n_lagging(c), 0);
	case_end(c);
}

/*
 * The marker that is queued before b's has no record: it was sent when `a` was destroyed, or its
 * record was overwritten.
 */
static void test_shared_side_stream_without_record(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch(c, a, 1);                             /* 1: runs long */
	case_launch_flagged(c, b, 3, RECORD_MARKED_SIDE); /* 2, 3 are done, 4 is at fault */
	builder_stream_row(&c->builder, a)->side = 1;
	builder_stream_row(&c->builder, b)->side = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(n_lagging(c), 2);
	builder_stream_row(&c->builder, a)->followed = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(n_lagging(c), 0);
	/* The marker has landed. */
	builder_stream_row(&c->builder, a)->marked = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(n_lagging(c), 2);
	/* Another submission of `a` has no record. */
	builder_stream_row(&c->builder, a)->submitted++;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(n_lagging(c), 0);
	case_end(c);
}

static void test_sparse_markers(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 16);
	case_find(c, 8)->flags = RECORD_MARKED_INLINE;
	case_find(c, 12)->flags = RECORD_MARKED_INLINE;
	builder_mark(&c->builder, stream, 8);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 9);
	CHECK_EQUAL(c->verdict.n_suspects, 4); /* 9 to 12 */
	CHECK(case_suspects(c, 12) && !case_suspects(c, 13));
	CHECK_EQUAL(c->verdict.streams[0].waiting.n, 4);
	case_end(c);
}

static void test_programmatic_launches_overlap(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 8, RECORD_MARKED_INLINE);
	for (uint64_t sequence = 5; sequence <= 6; sequence++)
		case_find(c, sequence)->flags |= RECORD_OVERLAPS;
	case_find(c, 8)->flags |= RECORD_OVERLAPS; /* follows one that does not */
	builder_mark(&c->builder, stream, 3);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 4);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 6) && !case_suspects(c, 7));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_OVERLAP)->count, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_STREAM_ORDER)->count, 2);
	case_end(c);
}

static void test_refused_markers(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_REFUSED));
	builder_context_row(&c->builder, c->context)->markers = CONTEXT_MARKERS_REFUSED;
	builder_context_row(&c->builder, c->context)->marker_result = 801;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKERS_REFUSED)->count, 801);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKERS_SPARSE)->count, 2);
	/* Where counters show the progress, markers are not needed. */
	case_find(c, 1)->progress.channel = builder_channel(&c->builder, c->context, 1);
	case_find(c, 1)->progress.payload = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_REFUSED));
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_SPARSE));
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_REFUSED)); /* exact all the same */
	case_end(c);
}

int main(void)
{
	test_no_markers_narrow_nothing();
	test_inline_markers_prove();
	test_side_markers_may_lag();
	test_side_markers_rank();
	test_shared_side_stream();
	test_shared_side_stream_in_another_order();
	test_shared_side_stream_without_record();
	test_sparse_markers();
	test_programmatic_launches_overlap();
	test_refused_markers();
	return 0;
}

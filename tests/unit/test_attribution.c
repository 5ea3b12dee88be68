/*
 * test_attribution.c - each rule of attribution.h, and each trap on the way to it.
 */
#include "attribution.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "verdict_case.h"

enum { ILLEGAL_ADDRESS = 700, UNCORRECTABLE = 214, ASSERT = 710 };

#define CHECK_VERDICT(c, class_, sequence_)                                       \
	do {                                                                      \
		CHECK_EQUAL((c)->verdict.class, class_);                          \
		CHECK_EQUAL((c)->verdict.suspects[0].record.sequence, sequence_); \
		CHECK_EQUAL((c)->verdict.unknown_reason, UNKNOWN_NOT);            \
	} while (0)

static void check_unknown(const struct verdict_case *c, enum unknown_reason reason)
{
	CHECK_EQUAL(c->verdict.class, VERDICT_UNKNOWN);
	CHECK_EQUAL(c->verdict.unknown_reason, reason);
	CHECK_EQUAL(c->verdict.n_suspects, 0);
}

static void test_no_failure(void)
{
	struct verdict_case *c = case_begin();
	unsigned char scratch[1];

	case_launch(c, case_stream(c), 3);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(attribution_scratch(&c->view), 0);
	CHECK_EQUAL(attribute(&c->view, scratch, 0, &c->verdict), 0);
	check_unknown(c, UNKNOWN_NO_FAILURE);
	case_end(c);
}

static void test_scratch_too_small(void)
{
	struct verdict_case *c = case_begin();
	size_t size;
	unsigned char *scratch;

	case_launch(c, case_stream(c), 3);
	case_judge(c, ILLEGAL_ADDRESS);
	size = attribution_scratch(&c->view);
	scratch = malloc(size);
	CHECK_EQUAL(attribute(&c->view, scratch, 0, &c->verdict), -ENOMEM);
	CHECK_EQUAL(attribute(&c->view, scratch, 400, &c->verdict), -ENOMEM);
	CHECK_EQUAL(attribute(&c->view, scratch + 1, size - 1, &c->verdict), -ENOMEM);
	free(scratch);
	case_end(c);
}

static void test_only_one_unfinished(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 10);
	builder_sync(&c->builder, stream, 9, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 10);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK(case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_SYNC)->ordinal, 9);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_SYNC)->sequence, 9);
	CHECK_STRING(view_string(&c->view, case_evidence(c, EVIDENCE_SYNC)->call, NULL),
		     "cuStreamSynchronize");
	CHECK_EQUAL(c->verdict.n_streams, 1);
	CHECK_EQUAL(c->verdict.streams[0].done_sequence, 9);
	CHECK_EQUAL(c->verdict.streams[0].started.first, 10);
	case_end(c);
}

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

/* A side marker's absence proves nothing: 8 may run although the marker of 7 has not landed. */
static void test_side_markers_may_lag(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch_flagged(c, stream, 10, RECORD_MARKED_SIDE);
	builder_mark(&c->builder, stream, 6);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 7);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKERS_LAG)->count, 4);
	CHECK(!case_evidence(c, EVIDENCE_MARKER_INLINE));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_MARKER)->ordinal, 6);
	case_end(c);
}

/*
 * Side markers of two streams come from one side stream: behind the marker of a long kernel of `a`
 * that of `b` waits in line, and b's culprit is not its first unmarked launch.
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
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(!case_suspects(c, 4));
	builder_stream_row(&c->builder, b)->side = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 4);
	CHECK(case_suspects(c, 4));
	/* An inline marker waits behind nobody. */
	case_find(c, 3)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK(!case_suspects(c, 4));
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

static void test_other_streams_are_suspects(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch_flagged(c, a, 5, RECORD_MARKED_INLINE); /* 1-5 */
	case_launch_flagged(c, b, 5, RECORD_MARKED_INLINE); /* 6-10 */
	builder_mark(&c->builder, a, 5);
	builder_mark(&c->builder, b, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 8);
	builder_mark(&c->builder, a, 4);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 5) && case_suspects(c, 8));
	case_end(c);
}

static void test_event_order_clears(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	uint32_t third = case_stream(c);

	case_launch_flagged(c, a, 2, RECORD_MARKED_INLINE); /* 1, 2 */
	builder_wait(&c->builder, CASE_TID, b, a, 2);
	case_launch(c, b, 3); /* 3-5 wait for 2 */
	builder_wait(&c->builder, CASE_TID, third, b, 1);
	case_launch(c, third, 2); /* 6, 7 wait for 3 */
	builder_mark(&c->builder, a, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_EVENT_ORDER)->count, 3);
	CHECK_EQUAL(c->verdict.n_streams, 3);
	CHECK_EQUAL(c->verdict.streams[0].stream, a);
	CHECK(!c->verdict.streams[0].is_blocked && c->verdict.streams[1].is_blocked &&
	      c->verdict.streams[2].is_blocked);
	case_end(c);
}

/* The event stands for finished work, or for work before the marker: nothing is proven. */
static void test_reached_events_clear_nobody(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch_flagged(c, a, 2, RECORD_MARKED_INLINE);
	builder_wait(&c->builder, CASE_TID, b, a, 1);
	case_launch(c, b, 1);
	builder_mark(&c->builder, a, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);

	/* No marker on the source: its work may be finished, the wait passed. */
	case_find(c, 2)->flags = 0;
	builder_wait(&c->builder, CASE_TID, b, a, 2);
	case_launch(c, b, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	case_end(c);
}

/* Waits that are no edge: refused, not returned, of an unknown place, of an unknown event. */
static void test_void_waits(void)
{
	for (int kind = 0; kind < 6; kind++) {
		struct verdict_case *c = case_begin();
		uint32_t a = case_stream(c);
		uint32_t b = case_stream(c);
		struct journal_record *wait;

		case_launch_flagged(c, a, 1, RECORD_MARKED_INLINE);
		wait = builder_wait(&c->builder, CASE_TID, b, a, 1);
		case_launch(c, b, 1);
		if (kind == 1)
			wait->result = 1;
		else if (kind == 2)
			wait->result = RESULT_PENDING;
		else if (kind == 3)
			wait->flags = RECORD_UNORDERED;
		else if (kind == 4)
			wait->event.source_stream = 0;
		else if (kind == 5)
			wait->event.source_ordinal = 99; /* never submitted */
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.n_suspects, kind == 0 ? 1 : 2);
		case_end(c);
	}
}

static void test_passed_waits_prove_progress(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	uint32_t third = case_stream(c);

	case_launch(c, a, 3); /* 1-3 */
	builder_wait(&c->builder, CASE_TID, b, a, 2);
	case_launch(c, b, 1); /* 4 */
	builder_wait(&c->builder, CASE_TID, third, b, 1);
	case_launch(c, third, 1); /* 5 */
	builder_sync(&c->builder, third, 1, "cuEventSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_PASSED_WAIT)->sequence, 2);

	/* Work before the wait proves nothing about it. */
	builder_wait(&c->builder, CASE_TID, third, a, 3);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
}

static void test_events_may_form_a_cycle(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch(c, a, 2);
	case_launch(c, b, 2);
	builder_wait(&c->builder, CASE_TID, a, b, 2)->ordinal = 0;
	builder_wait(&c->builder, CASE_TID, b, a, 2)->ordinal = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 4);
	case_end(c);
}

static void test_programmatic_launches_overlap(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch_flagged(c, stream, 8, RECORD_MARKED_INLINE);
	for (uint64_t sequence = 5; sequence <= 6; sequence++)
		case_find(c, sequence)->flags |= RECORD_OVERLAPS;
	case_find(c, 8)->flags |= RECORD_OVERLAPS; /* behind one that does not */
	builder_mark(&c->builder, stream, 3);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 4);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 6) && !case_suspects(c, 7));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_OVERLAP)->count, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_STREAM_ORDER)->count, 2);
	case_end(c);
}

static void test_asserts_come_from_kernels(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch(c, a, 1);
	builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
	builder_submit(&c->builder, CASE_TID, b, WORK_MEMSET);
	builder_submit(&c->builder, CASE_TID, b, WORK_HOST_FUNC);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 3);
	CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	case_end(c);

	c = case_begin();
	case_launch(c, case_stream(c), 1);
	b = case_stream(c);
	builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
	builder_submit(&c->builder, CASE_TID, b, WORK_HOST_FUNC);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 1);
	case_end(c);
}

/* An innocent copy in front, its marker not landed: the kernel behind it has not started. */
static void test_unable_work_still_holds_its_stream(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	builder_submit(&c->builder, CASE_TID, a, WORK_COPY)->flags = RECORD_MARKED_INLINE;
	case_launch(c, a, 1);
	case_launch(c, b, 1);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
}

/* One kernel behind a copy whose side marker lags: the strict rules name it, and are right to. */
static void test_strict_beats_likely(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	builder_submit(&c->builder, CASE_TID, stream, WORK_COPY)->flags = RECORD_MARKED_SIDE;
	case_launch(c, stream, 1);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	case_end(c);
}

static void test_nothing_unfinished(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 3);
	builder_sync(&c->builder, stream, 3, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	case_end(c);

	c = case_begin();
	builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_COPY);
	case_judge(c, ASSERT);
	check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 1);
	case_end(c);

	/* A memory error of the hardware is nobody's: not even the only kernel's. */
	c = case_begin();
	case_launch(c, case_stream(c), 1);
	case_judge(c, UNCORRECTABLE);
	check_unknown(c, UNKNOWN_HARDWARE);
	case_end(c);
}

static void test_pending_calls(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	case_launch(c, a, 1);
	builder_pend(&c->builder, builder_submit(&c->builder, CASE_TID + 1, b, WORK_KERNEL));
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK(case_suspects(c, 1) && case_suspects(c, 2));
	CHECK(!case_evidence(c, EVIDENCE_RECORDS_LOST));
	case_end(c);

	/* Its marker may land before its call returns. */
	c = case_begin();
	a = case_stream(c);
	b = case_stream(c);
	builder_pend(&c->builder, builder_submit(&c->builder, CASE_TID, a, WORK_KERNEL));
	builder_mark(&c->builder, a, 1);
	case_launch(c, b, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	case_end(c);
}

static void test_failed_calls(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct journal_record *record;
	uint32_t call;
	uint32_t async_call;

	/* A launch that was refused, before and because of the failure, never ran. */
	builder_reject(&c->builder, builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL), 1);
	case_launch(c, stream, 1);
	builder_reject(&c->builder, builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL),
		       ILLEGAL_ADDRESS);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	case_end(c);

	/* A call that waits for its own work may return the error of that work. */
	c = case_begin();
	stream = case_stream(c);
	call = builder_string(&c->builder, "cuMemsetD8_v2");
	async_call = builder_string(&c->builder, "cuMemsetD8Async");
	case_launch(c, stream, 1);
	record = builder_submit(&c->builder, CASE_TID, stream, WORK_MEMSET);
	builder_reject(&c->builder, record, ILLEGAL_ADDRESS);
	record->call = async_call;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	record->work = WORK_COPY; /* from pageable memory it waits, whatever its name says */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	record->work = WORK_MEMSET;
	record->call = call;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_find(c, 1)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1); /* the memset is behind it */
	builder_mark(&c->builder, stream, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 2); /* or it was refused */
	CHECK_EQUAL(case_evidence(c, EVIDENCE_REFUSED)->count, 1);
	case_end(c);
}

/* Where launches are made to wait, the culprit's own call returns its error. */
static void test_blocking_launches(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct journal_record *launch;

	case_launch(c, stream, 2);
	builder_sync(&c->builder, stream, 2, "cuLaunchKernel");
	launch = builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL);
	builder_reject(&c->builder, launch, ILLEGAL_ADDRESS);
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	launch->flags = RECORD_SYNCHRONOUS;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	launch->flags = 0;
	builder_failure_row(&c->builder)->flags = FAILURE_LAUNCH_BLOCKING;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	launch->result = 1; /* another error: its arguments were wrong */
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	case_end(c);
}

static void test_calls_after_the_failure(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	struct journal_record *copy;

	case_launch(c, a, 1);
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize");
	copy = builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
	builder_reject(&c->builder, copy, ILLEGAL_ADDRESS);
	copy->flags = RECORD_SYNCHRONOUS;
	builder_pend(&c->builder, builder_submit(&c->builder, CASE_TID + 1, b, WORK_KERNEL));
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

static void test_lost_records(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 3);
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_find(c, 2)->commit = 0; /* torn */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 3); /* one suspect, but not the only candidate */
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_RECORDS_LOST)->count, 1);
	CHECK_EQUAL(c->verdict.streams[0].n_lost, 1);
	case_find(c, 3)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_RECORDS_LOST);
	case_end(c);

	/* Lost behind a marker that has not landed: not EXACT, but nothing stands against LIKELY.
	 */
	c = case_begin();
	stream = case_stream(c);
	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	case_find(c, 2)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	case_end(c);
}

static void test_ring_wrapped(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint64_t capacity = c->builder.ring_capacity;

	case_launch(c, stream, (uint32_t)capacity + 100);
	builder_sync(&c->builder, stream, capacity + 99, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, capacity + 100);
	builder_sync(&c->builder, stream, 99, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, capacity + 1 - 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_RECORDS_LOST)->count, 1);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 101);
	case_end(c);
}

static void test_unseen_work_forbids_exact(void)
{
	for (uint32_t flag = 0; flag <= FAILURE_STREAMS_LOST; flag++) {
		struct verdict_case *c = case_begin();

		case_launch(c, case_stream(c), 1);
		builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize")->flags =
			flag;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, flag ? VERDICT_LIKELY : VERDICT_EXACT, 1);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNSEEN_LAUNCH) != NULL,
			    flag == FAILURE_UNKNOWN_LAUNCH);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED) != NULL,
			    flag == FAILURE_STREAMS_LOST);
		case_end(c);
	}
}

/* With GPU core dumps on, work behind the fault may have run, and its marker have landed. */
static void test_coredumps_forbid_exact(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	builder_failure_row(&c->builder)->flags = FAILURE_COREDUMPS;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 3);
	CHECK(case_evidence(c, EVIDENCE_COREDUMPS));
	case_end(c);
}

/* Work on a stream that the table does not have can never be shown finished. */
static void test_stray_work(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 2);
	case_find(c, 1)->stream = 77;
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
	case_end(c);
}

static void test_unordered_work(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 1);
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	case_find(c, 1)->flags = RECORD_UNORDERED; /* the sync may have come before it */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
	case_find(c, 2)->ordinal = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_RECORDS_LOST);
	case_end(c);
}

struct legacy_case {
	uint32_t legacy;
	uint32_t blocking;
	uint32_t per_thread;
	uint32_t non_blocking;
};

static struct legacy_case legacy_streams(struct verdict_case *c)
{
	struct legacy_case streams;

	streams.blocking = builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 0x10);
	streams.legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
	streams.per_thread = builder_stream(&c->builder, c->context, STREAM_PER_THREAD, 0, 0);
	streams.non_blocking = case_stream(c);
	return streams;
}

static void test_legacy_barrier_clears(void)
{
	struct verdict_case *c = case_begin();
	struct legacy_case streams = legacy_streams(c);

	case_launch_flagged(c, streams.blocking, 1, RECORD_MARKED_INLINE);
	case_launch(c, streams.legacy, 2);     /* 2, 3 wait for 1 */
	case_launch(c, streams.per_thread, 1); /* 4 waits for 3 */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_LEGACY_ORDER)->count, 2);
	case_launch(c, streams.non_blocking, 1); /* 5 waits for none */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);

	c = case_begin();
	streams = legacy_streams(c);
	case_launch_flagged(c, streams.legacy, 1, RECORD_MARKED_INLINE);
	case_launch(c, streams.non_blocking, 1);
	case_launch(c, streams.blocking, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 1) && case_suspects(c, 2));
	case_end(c);
}

/* The driver's order of two threads is not the journal's. */
static void test_legacy_barrier_of_two_threads(void)
{
	struct verdict_case *c = case_begin();
	struct legacy_case streams = legacy_streams(c);

	case_launch_flagged(c, streams.legacy, 1, RECORD_MARKED_INLINE);
	builder_submit(&c->builder, CASE_TID + 1, streams.blocking, WORK_KERNEL);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

static void test_legacy_barrier_of_two_contexts(void)
{
	struct verdict_case *c = case_begin();
	struct legacy_case streams = legacy_streams(c);
	uint32_t other = builder_context(&c->builder, 1, "Other GPU");
	uint32_t elsewhere = builder_stream(&c->builder, other, STREAM_EXPLICIT, 0, 0x20);

	case_launch_flagged(c, streams.legacy, 1, RECORD_MARKED_INLINE);
	case_launch(c, elsewhere, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	builder_sync(&c->builder, elsewhere, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

static void test_legacy_barrier_proves_progress(void)
{
	struct verdict_case *c = case_begin();
	struct legacy_case streams = legacy_streams(c);

	case_launch(c, streams.blocking, 1);
	case_launch(c, streams.legacy, 1);
	case_launch(c, streams.blocking, 1);
	builder_sync(&c->builder, streams.legacy, 1, "cuMemcpyDtoH_v2");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_PASSED_WAIT)->sequence, 1);
	case_end(c);
}

/* Work of a destroyed stream goes on; the row of a finished one is used again. */
static void test_destroyed_streams(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	struct stream_row *row;

	case_launch(c, a, 1);
	builder_stream_row(&c->builder, a)->destroyed_ns = 1;
	case_launch(c, b, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);

	/* The wait was the old stream's last act: the new stream's work does not wait. */
	c = case_begin();
	a = case_stream(c);
	b = case_stream(c);
	case_launch(c, a, 2);
	case_launch_flagged(c, b, 1, RECORD_MARKED_INLINE);
	builder_wait(&c->builder, CASE_TID, a, b, 1);
	row = builder_stream_row(&c->builder, a);
	row->before = row->submitted;
	case_launch(c, a, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 3) && case_suspects(c, 4));
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
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_REFUSED)); /* exact all the same */
	case_end(c);
}

static void test_ranking(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	builder_submit(&c->builder, CASE_TID, a, WORK_COPY);  /* 1 */
	case_launch(c, a, 2);                                 /* 2, 3 */
	builder_submit(&c->builder, CASE_TID, b, WORK_GRAPH); /* 4 */
	case_launch(c, b, 200);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 4); /* first on its stream */
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 2);
	CHECK_EQUAL(c->verdict.suspects[2].record.sequence, 5);
	CHECK_EQUAL(c->verdict.n_suspects, 204);
	CHECK(!case_suspects(c, 1)); /* a copy: after all kernels, so past the list */
	CHECK_EQUAL(c->verdict.streams[0].stream, b);
	case_end(c);
}

static void test_contradiction(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);

	case_launch(c, stream, 3);
	builder_mark(&c->builder, stream, 99);
	case_judge(c, ILLEGAL_ADDRESS);
	check_unknown(c, UNKNOWN_BAD_BUNDLE);
	case_end(c);
}

static void test_huge_numbers_lose_nothing(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);

	builder_stream_row(&c->builder, a)->submitted = UINT64_MAX;
	builder_stream_row(&c->builder, b)->submitted = 1;
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_RECORDS_LOST)->count, -1);
	case_end(c);
}

int main(void)
{
	test_no_failure();
	test_scratch_too_small();
	test_only_one_unfinished();
	test_no_markers_narrow_nothing();
	test_inline_markers_prove();
	test_side_markers_may_lag();
	test_shared_side_stream();
	test_sparse_markers();
	test_other_streams_are_suspects();
	test_event_order_clears();
	test_reached_events_clear_nobody();
	test_void_waits();
	test_passed_waits_prove_progress();
	test_events_may_form_a_cycle();
	test_programmatic_launches_overlap();
	test_asserts_come_from_kernels();
	test_unable_work_still_holds_its_stream();
	test_strict_beats_likely();
	test_nothing_unfinished();
	test_pending_calls();
	test_failed_calls();
	test_blocking_launches();
	test_calls_after_the_failure();
	test_lost_records();
	test_ring_wrapped();
	test_unseen_work_forbids_exact();
	test_coredumps_forbid_exact();
	test_stray_work();
	test_unordered_work();
	test_legacy_barrier_clears();
	test_legacy_barrier_of_two_threads();
	test_legacy_barrier_of_two_contexts();
	test_legacy_barrier_proves_progress();
	test_destroyed_streams();
	test_refused_markers();
	test_ranking();
	test_contradiction();
	test_huge_numbers_lose_nothing();
	return 0;
}

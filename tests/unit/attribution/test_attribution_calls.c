/*
 * test_attribution_calls.c - calls that failed, did not return, came later or left no record.
 */
#include "attribution/attribution.h"

#include "support/check.h"
#include "support/verdict_case.h"

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
	uint32_t call = builder_string(&c->builder, "cuMemsetD8_v2");
	uint32_t async_call = builder_string(&c->builder, "cuMemsetD8Async");
	case_launch(c, stream, 1);
	struct journal_record *record = builder_submit(&c->builder, CASE_TID, stream, WORK_MEMSET);
	builder_reject(&c->builder, record, ILLEGAL_ADDRESS);
	record->call = async_call;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	record->work = WORK_COPY; /* a copy from pageable memory waits, whatever its name */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	record->work = WORK_MEMSET;
	record->call = call;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_find(c, 1)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1); /* the memset comes after it */
	builder_mark(&c->builder, stream, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 2); /* or it was refused */
	CHECK_EQUAL(case_evidence(c, EVIDENCE_REJECTED)->count, 1);
	case_end(c);
}

/* Where launches are made to wait, the culprit's own call returns its error. */
static void test_blocking_launches(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 2);
	builder_sync(&c->builder, stream, 2, "cuLaunchKernel");
	struct journal_record *launch = builder_submit(&c->builder, CASE_TID, stream, WORK_KERNEL);
	builder_reject(&c->builder, launch, ILLEGAL_ADDRESS);
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	launch->flags = RECORD_SYNCHRONOUS;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	launch->flags = 0;
	builder_failure_row(&c->builder)->flags = FAILURE_LAUNCH_BLOCKING;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	launch->result = 1; /* another error: its arguments were wrong */
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	case_end(c);
}

static void test_calls_after_the_failure(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch(c, a, 1);
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize");
	struct journal_record *copy = builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
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
	CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	CHECK_EQUAL(c->verdict.streams[0].n_lost, 1);
	case_find(c, 3)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_RECORDS_LOST);
	case_end(c);
}

/* After a marker that has not landed, only a programmatic launch may have started. */
static void test_lost_after_marker(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 4, RECORD_MARKED_INLINE);
	case_find(c, 3)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 1);

	/* A lost launch may have been one, if no other launch comes before it. */
	case_find(c, 2)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	case_find(c, 4)->flags |= RECORD_OVERLAPS;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 4));
	case_end(c);

	/* So may the last one. */
	c = case_begin();
	stream = case_stream(c);
	case_launch_flagged(c, stream, 2, RECORD_MARKED_INLINE);
	case_find(c, 2)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
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

/* Work on a stream that the table does not have can never be shown finished. */
static void test_stray_work(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 2);
	case_find(c, 1)->stream = 77;
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
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
	case_find(c, 1)->flags = RECORD_UNORDERED; /* no later than its ordinal: finished */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	case_find(c, 1)->ordinal = 0; /* the sync may have come before it */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 1) && !c->verdict.is_complete);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
	/*
	 * If no work has a known place, the work in the journal is named, but never as the only
	 * suspects.
	 */
	case_find(c, 2)->ordinal = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK(!c->verdict.is_complete);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 2);
	case_find(c, 2)->flags = RECORD_UNORDERED;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 1) && case_suspects(c, 2));
	case_find(c, 1)->stream = case_find(c, 2)->stream = 77;
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_RECORDS_LOST);
	case_end(c);
}

/* The copy's stream or order is unknown, and yet it cannot have caused the failure. */
static void test_unordered_innocent(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 1);
	struct journal_record *copy = builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	copy->flags = RECORD_UNORDERED;
	case_launch(c, stream, 1);
	case_find(c, 1)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(c->verdict.n_groups, 2);
	copy->flags |= RECORD_SYNCHRONOUS; /* its call has waited for it; its ordinal is its own */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK(!case_evidence(c, EVIDENCE_RECORDS_LOST));
	copy->stream = 0;
	copy->flags = RECORD_UNORDERED;
	case_find(c, 3)->ordinal = 2;
	builder_stream_row(&c->builder, stream)->submitted = 2;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	builder_failure_row(&c->builder)->code = ASSERT; /* no copy raises that */
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

/* The ring names a submission that has no ordinal yet. The submission is in the ring, or was. */
static void test_owed(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 3);
	case_find(c, 1)->flags = RECORD_MARKED_INLINE;
	case_find(c, 3)->flags = RECORD_UNORDERED;
	case_find(c, 3)->ordinal = 0;
	case_find(c, 3)->progress.behind = 2;
	builder_stream_row(&c->builder, stream)->submitted = 2;
	builder_owe(&c->builder, CASE_TID, 3);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_find(c, 3)->kind = RECORD_SYNC; /* another record took its row */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
	c->builder.sequence = 2; /* it was submitted after the failure */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

/* Work that passed a lock has no place of its own, but it comes after the work that was there. */
static void test_unordered_behind(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 5);
	case_find(c, 2)->flags = RECORD_MARKED_INLINE;
	case_find(c, 4)->flags = RECORD_UNORDERED;
	builder_sync(&c->builder, stream, 1, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
	case_find(c, 4)->progress.behind = 1; /* it may be before the marked one */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK(case_suspects(c, 4));
	case_find(c, 4)->progress.behind =
		2; /* or before its marker, which another thread writes */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	CHECK(case_suspects(c, 4));
	case_find(c, 4)->progress.behind = 3;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_STREAM_ORDER)->count, 3);
	case_find(c, 3)->flags = RECORD_OVERLAPS; /* it or the unordered work started early */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 2);
	case_end(c);
}

/* Unordered work that an event proves finished leaves its stream's order known. */
static void test_unordered_work_before_an_event(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch(c, a, 5);
	builder_wait(&c->builder, CASE_TID, b, a, 2);
	case_launch(c, b, 1);
	case_find(c, 2)->flags = RECORD_UNORDERED;
	case_find(c, 3)->flags = RECORD_MARKED_INLINE;
	case_find(c, 5)->flags = RECORD_OVERLAPS;
	builder_sync(&c->builder, b, 1, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
}

/* A destroyed stream's work continues; a finished stream's row is reused. */
static void test_destroyed_streams(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
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
	struct stream_row *row = builder_stream_row(&c->builder, a);
	row->before = row->submitted;
	case_launch(c, a, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 3) && case_suspects(c, 4));
	case_end(c);

	/* The finished work was the old stream's, so no sync is cited for the new one. */
	c = case_begin();
	a = case_stream(c);
	case_launch(c, a, 2);
	row = builder_stream_row(&c->builder, a);
	row->before = row->submitted;
	row->synced = row->submitted;
	case_launch(c, a, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK(!case_evidence(c, EVIDENCE_SYNC));
	case_end(c);
}

int main(void)
{
	test_pending_calls();
	test_failed_calls();
	test_blocking_launches();
	test_calls_after_the_failure();
	test_lost_records();
	test_lost_after_marker();
	test_owed();
	test_ring_wrapped();
	test_stray_work();
	test_unordered_work();
	test_unordered_innocent();
	test_unordered_behind();
	test_unordered_work_before_an_event();
	test_destroyed_streams();
	return 0;
}

/*
 * test_attribution_order.c - what the order between streams clears: events and the legacy barrier.
 */
#include <errno.h>

#include "attribution/attribution.h"

#include "support/check.h"
#include "support/verdict_case.h"

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

/* The event covers finished work, or work before the marker: nothing is proven. */
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

/* Waits that order nothing: refused, not returned, at an unknown place, for an unknown event. */
static void test_void_waits(void)
{
	for (int kind = 0; kind < 6; kind++) {
		struct verdict_case *c = case_begin();
		uint32_t a = case_stream(c);
		uint32_t b = case_stream(c);
		case_launch_flagged(c, a, 1, RECORD_MARKED_INLINE);
		struct journal_record *wait = builder_wait(&c->builder, CASE_TID, b, a, 1);
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

/* It either waited at the barrier when the failure stopped it, or was never queued. */
static void test_legacy_barrier_clears_failed_calls(void)
{
	struct verdict_case *c = case_begin();
	struct legacy_case streams = legacy_streams(c);
	case_launch_flagged(c, streams.blocking, 1, RECORD_MARKED_INLINE);
	struct journal_record *copy =
		builder_submit(&c->builder, CASE_TID, streams.legacy, WORK_COPY);
	builder_pend(&c->builder, copy);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	copy->result = ILLEGAL_ADDRESS; /* it has returned since */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_LEGACY_ORDER)->count, 1);
	copy->stream = streams.non_blocking; /* no barrier holds it back */
	copy->ordinal = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
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
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 2);
	CHECK_EQUAL(c->verdict.suspects[1].slot, 1);
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

/* Barriers between finished work take no room from waits of unfinished work. */
static void test_barriers_of_finished_work(void)
{
	enum { N = 3000 };
	struct verdict_case *c = case_begin();
	c->builder.ring_capacity = (uint64_t)4 * N;
	uint32_t legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
	uint32_t blocking = builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 0x10);
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	for (int i = 0; i < N; i++) {
		case_launch(c, legacy, 1);
		case_launch(c, blocking, 1);
	}
	builder_sync(&c->builder, legacy, N, "cuCtxSynchronize");
	builder_sync(&c->builder, blocking, N, "cuCtxSynchronize");
	uint64_t culprit = case_launch_flagged(c, a, 1, RECORD_MARKED_INLINE);
	builder_wait(&c->builder, CASE_TID, b, a, 1);
	case_launch(c, b, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, culprit);
	case_end(c);
}

/* A stream that has no row may have run the work that failed. */
static void test_lost_streams(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK(case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	CHECK(!c->verdict.is_complete); /* that is about several suspects */
	c->view.tables[JOURNAL_STREAMS].lost = 1;
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute(&c->view, scratch, size, &c->verdict), 0);
	/* Without enough room there is no verdict, and with it always the same one. */
	bool is_enough = false;
	for (size_t room = 0; room <= size; room += 8) {
		int error = attribute(&c->view, scratch, room, &c->verdict);
		CHECK(error == (is_enough || !error ? 0 : -ENOMEM));
		CHECK(error || (c->verdict.class == VERDICT_LIKELY && c->verdict.n_suspects == 1));
		CHECK(error || !case_evidence(c, EVIDENCE_ONLY_SUSPECT));
		is_enough = is_enough || !error;
	}
	free(scratch);
	case_end(c);
}

/* Records of other kinds take no room, whatever stream, order and flags they have. */
static void test_only_submissions_need_room(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	size_t size = attribution_scratch(&c->view);
	for (uint32_t i = 0; i < 8; i++) {
		struct journal_record *record =
			builder_record(&c->builder, CASE_TID, RECORD_REJECTION);
		record->stream = stream;
		record->ordinal = 1 + i % 2;
		record->flags = i < 4 ? RECORD_UNORDERED : 0;
	}
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(attribution_scratch(&c->view), size);
	case_end(c);
}

/* Work of no stream is counted, and not named, whatever ordinal it has. */
static void test_work_of_no_stream(void)
{
	for (uint64_t ordinal = 0; ordinal < 2; ordinal++) {
		struct verdict_case *c = case_begin();
		uint32_t stream = case_stream(c);
		case_launch(c, stream, 2);
		builder_stream_row(&c->builder, stream)->submitted = 1;
		case_find(c, 2)->stream = 0;
		case_find(c, 2)->ordinal = ordinal;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_NARROWED, 1);
		CHECK_EQUAL(c->verdict.n_suspects, 1);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED)->count, 1);
		CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
		case_end(c);
	}
}

/* Two threads entered the driver in another order than that of their numbers. */
static void test_numbers_are_not_the_order(void)
{
	struct verdict_case *c = case_begin();
	struct journal_record *works[4];
	case_launch(c, case_stream(c), 4);
	for (uint32_t i = 0; i < 4; i++)
		works[i] = case_find(c, i + 1);
	for (uint32_t i = 0; i < 4; i++)
		works[i]->sequence = (uint64_t[]){3, 1, 4, 2}[i];
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.streams[0].started.first, 1);
	CHECK_EQUAL(c->verdict.streams[0].started.last, 4);
	CHECK_EQUAL(c->verdict.streams[0].started.n, 4);
	case_end(c);
}

/* Evidence is of listed streams alone. */
static void test_more_streams_than_are_listed(void)
{
	struct verdict_case *c = case_begin();
	for (uint32_t i = 0; i <= VERDICT_MAX_STREAMS; i++)
		case_launch(c, case_stream(c), 2);
	builder_sync(&c->builder, 1, 1, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_streams, VERDICT_MAX_STREAMS);
	CHECK_EQUAL(c->verdict.n_streams_unlisted, 1);
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->verdict.n_evidence; i++)
		n += c->verdict.evidence[i].kind == EVIDENCE_SYNC;
	CHECK_EQUAL(n, 1);
	case_end(c);
}

int main(void)
{
	test_numbers_are_not_the_order();
	test_more_streams_than_are_listed();
	test_lost_streams();
	test_work_of_no_stream();
	test_only_submissions_need_room();
	test_barriers_of_finished_work();
	test_event_order_clears();
	test_reached_events_clear_nobody();
	test_void_waits();
	test_passed_waits_prove_progress();
	test_events_may_form_a_cycle();
	test_legacy_barrier_clears();
	test_legacy_barrier_clears_failed_calls();
	test_legacy_barrier_of_two_threads();
	test_legacy_barrier_of_two_contexts();
	test_legacy_barrier_proves_progress();
	return 0;
}

/*
 * test_counters_order.c - verdicts by the driver's own progress counters: what each rule clears and
 * proves.
 */
#include "attribution/attribution.h"

#include "support/check.h"
#include "support/words_case.h"

/* No marker, no sync: the last launch that had started failed. */
static void test_last_begun(void)
{
	struct verdict_case *c = words_begin(7);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	const struct evidence *evidence = case_evidence(c, EVIDENCE_DRIVER_STOPPED);
	CHECK(evidence);
	CHECK_EQUAL(evidence->sequence, 7);
	CHECK_EQUAL(evidence->count, BELIEF_OF_ONE);
	CHECK_EQUAL(c->verdict.streams[0].done, 6);
	CHECK_EQUAL(c->verdict.streams[0].waiting.n, 3);
	CHECK(!case_evidence(c, EVIDENCE_PASSED_WAIT));
	CHECK(!case_evidence(c, EVIDENCE_STREAM_ORDER));
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	case_end(c);
}

/*
 * The newest launch that a counter shows may not have started, until the counter was right often
 * enough.
 */
static void test_ahead_by_one(void)
{
	struct verdict_case *c = words_begin(7);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	builder_channel_row(&c->builder, 1)->n_checks = BELIEF_OF_ONE - 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 7);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 6));
	case_find(c, 6)->stack = 1; /* of another group */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.lead, LEAD_COUNTERS);
	case_find(c, 7)->progress.state = builder_kernel_state(&c->builder, stream, 1);
	case_find(c, 7)->progress.turn = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7); /* it says so itself */
	case_find(c, 7)->progress.state = 0;
	for (uint64_t id = 8; id <= 10; id++)
		case_find(c, id)->progress.payload += 1;
	builder_channel_row(&c->builder, 1)->started++;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7); /* whatever the next number is of */
	case_end(c);
}

/* A side marker that lags, or that is missing, weakens nothing. */
static void test_lifts_doubts_of_markers(void)
{
	struct verdict_case *c = words_begin(7);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, RECORD_MARKED_SIDE);
	builder_mark(&c->builder, stream, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_SPARSE));
	case_end(c);
}

static void test_shared_channel(void)
{
	struct verdict_case *c = words_begin(5);
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	for (int i = 0; i < 4; i++) { /* a: 1, 3, 5, 7; b: 2, 4, 6, 8 */
		words_launch(c, a, 1, 0);
		words_launch(c, b, 1, 0);
	}
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 4) && case_suspects(c, 5));

	words_set_state(c, 4, 2, 1); /* finished, as a failed kernel may be */
	words_set_state(c, 5, 1, 1); /* not finished */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, 5);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_DRIVER_OVER)->sequence, 4);

	words_set_state(c, 4, 5, 1); /* a later kernel with the same state has started */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 5);
	CHECK(!case_evidence(c, EVIDENCE_DRIVER_OVER));
	case_end(c);
}

/* An event proves the kernel finished, so that it is over by its state is not evidence. */
static void test_ended_before_an_event(void)
{
	struct verdict_case *c = words_begin(3);
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	words_launch(c, a, 1, 0);
	builder_wait(&c->builder, CASE_TID, b, a, 1);
	words_launch(c, b, 1, 0);
	words_launch(c, case_stream(c), 1, 0);
	words_launch(c, a, 1, 0);
	words_set_state(c, 1, 2, 1);
	builder_sync(&c->builder, b, 1, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK(!case_evidence(c, EVIDENCE_DRIVER_OVER));
	case_end(c);
}

/*
 * A failed kernel whose state says that it finished is the likely culprit; the counters are
 * believed.
 */
static void test_ended_by_its_fault(void)
{
	struct verdict_case *c = words_begin(7);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	words_set_state(c, 7, 2, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 7);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_SILENT));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_DRIVER_OVER)->sequence, 7);
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	case_end(c);
}

/* Programmatic launches that follow one another may all run, with the one before them. */
static void test_overlaps(void)
{
	struct verdict_case *c = words_begin(6);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 4, 0);
	words_launch(c, stream, 3, RECORD_OVERLAPS); /* 5, 6; 7 had not started */
	words_launch(c, stream, 1, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 4) && case_suspects(c, 5) && case_suspects(c, 6));

	/* They may finish in any order, and one of them by failing. */
	words_set_state(c, 4, 1, 1);
	words_set_state(c, 5, 2, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	words_set_state(c, 5, 5, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 4) && case_suspects(c, 6));
	words_set_state(c, 4, 5, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 6);
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	case_end(c);
}

/* Without a number, work is bounded by its neighbours on the stream. */
static void test_unknown_numbers(void)
{
	struct verdict_case *c = words_begin(4);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	for (uint64_t sequence = 2; sequence <= 6; sequence += sequence == 2 ? 3 : 1)
		case_find(c, sequence)->progress.channel = 0; /* 2, 5, 6 */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 4) && case_suspects(c, 5) && case_suspects(c, 6));
	CHECK(case_evidence(c, EVIDENCE_DRIVER_STARTED));

	/* A running kernel holds them back. */
	words_set_state(c, 4, 1, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 4);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_DRIVER_ORDER)->count, 2);
	case_end(c);
}

/* The stream has no more work than what had started. Another one has, about which they are silent.
 */
static void test_stopped_at_its_last(void)
{
	struct verdict_case *c = words_begin(1);
	words_launch(c, case_stream(c), 1, 0);
	case_launch(c, case_stream(c), 2);
	builder_sync(&c->builder, 2, 1, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_STOPPED));
	case_end(c);
}

/* If the counters clear all other work, they must show that the remaining launch had started. */
static void test_sign_of_life(void)
{
	struct verdict_case *c = words_begin(3);
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	words_launch(c, a, 2, 0);    /* 1, 2 */
	words_launch(c, b, 1, 0);    /* 3 */
	words_set_state(c, 2, 5, 1); /* finished */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK(!case_evidence(c, EVIDENCE_DRIVER_SILENT));

	case_find(c, 3)->progress.channel = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 3);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_SILENT));

	/* A sync shows the same of the other stream, so the counters have cleared nothing. */
	builder_sync(&c->builder, a, 2, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
}

/* Counters that show no work in progress do not clear any stream's next kernel. */
static void test_nobody_at_work(void)
{
	struct verdict_case *c = words_begin(2);
	uint32_t idle = case_stream(c);
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	words_launch(c, idle, 2, 0);
	words_set_state(c, 2, 5, 1); /* finished */
	words_submit(c, a, WORK_GRAPH);
	words_launch(c, a, 1, 0);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 3);

	words_launch(c, b, 2, 0); /* 5, 6 */
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 3);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 5));
	CHECK(!c->verdict.is_complete);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_SILENT));
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	case_end(c);

	/* A kernel that finished must have started. */
	c = words_begin(3);
	words_launch(c, case_stream(c), 3, 0);
	words_launch(c, case_stream(c), 1, 0);
	words_set_state(c, 3, 2, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 3);
	case_end(c);
}

/* A wait of another stream shows what has finished, and so what is next. */
static void test_next_after_a_wait(void)
{
	struct verdict_case *c = words_begin(3);
	uint32_t source = case_stream(c);
	uint32_t waiter = case_stream(c);
	uint32_t channel = builder_channel(&c->builder, c->context, 4);
	case_launch(c, source, 2);
	case_find(c, 2)->progress = (struct record_progress){.channel = channel, .payload = 5};
	builder_wait(&c->builder, CASE_TID, waiter, source, 1);
	words_launch(c, waiter, 1, 0);
	words_set_state(c, 3, 5, 1); /* finished, and so is 1 */
	words_submit(c, case_stream(c), WORK_GRAPH);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 4);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 2));
	case_end(c);
}

/* Work of unknown order has not started while the kernel before it runs, with a marker or not. */
static void test_unordered_after_a_running_kernel(void)
{
	static const uint16_t flags[] = {0, RECORD_MARKED_INLINE};
	for (int i = 0; i < 2; i++) {
		struct verdict_case *c = words_begin(1);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 1, flags[i]);
		words_set_state(c, 1, 1, 1);
		case_launch_flagged(c, stream, 1, RECORD_UNORDERED);
		builder_stream_row(&c->builder, stream)->flags |= STREAM_UNORDERED;
		case_find(c, 2)->progress = (struct record_progress){.behind = 1};
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_EXACT, 1);
		case_end(c);
	}
}

/* A copy of several pieces may have started with one of them; the work after it has not. */
static void test_pieces(void)
{
	for (enum work_kind work = WORK_KERNEL; work <= WORK_MEMSET; work++) {
		struct verdict_case *c = words_begin(2);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 2, 0);
		words_submit(c, stream, work);
		words_launch(c, stream, 2, 0);
		case_find(c, 4)->progress.channel = 0;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.n_suspects, work == WORK_KERNEL ? 1 : 2);
		CHECK(case_suspects(c, 2));
		CHECK_EQUAL(case_suspects(c, 3), work != WORK_KERNEL);
		words_set_state(c, 2, 1, 1);
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_EXACT, 2);
		case_end(c);
	}
}

/*
 * Work that has started had waited: the other stream is finished up to there. Work that has not
 * started holds others back.
 */
static void test_events(void)
{
	struct verdict_case *c = words_begin_waiting(3);
	case_find(c, 2)->progress.channel = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);

	builder_channel_row(&c->builder, counters_channel)->started = 1;
	case_find(c, 2)->progress.channel = counters_channel;
	case_find(c, 3)->progress.channel = 0;
	case_find(c, 4)->progress.channel = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_EVENT_ORDER)->count, 2);
	case_end(c);
}

/* Lost records, and calls that failed or have not returned. */
static void test_void_records(void)
{
	struct verdict_case *c = words_begin(7);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	case_find(c, 3)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7); /* it came before work that had started */
	case_find(c, 9)->commit = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_LIKELY);
	case_end(c);

	c = words_begin(7);
	stream = case_stream(c);
	words_launch(c, stream, 8, 0);
	builder_pend(&c->builder, case_find(c, 8));
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2); /* the record of 8 cannot be read yet */
	case_find(c, 8)->result = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	case_end(c);
}

static void test_wraps(void)
{
	struct verdict_case *c = words_begin(3);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 10, 0);
	for (uint64_t sequence = 1; sequence <= 10; sequence++)
		case_find(c, sequence)->progress.payload = (uint32_t)sequence - 4;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	case_end(c);
}

int main(void)
{
	test_last_begun();
	test_ahead_by_one();
	test_lifts_doubts_of_markers();
	test_shared_channel();
	test_ended_by_its_fault();
	test_ended_before_an_event();
	test_overlaps();
	test_unknown_numbers();
	test_stopped_at_its_last();
	test_sign_of_life();
	test_nobody_at_work();
	test_next_after_a_wait();
	test_unordered_after_a_running_kernel();
	test_pieces();
	test_events();
	test_void_records();
	test_wraps();
	return 0;
}

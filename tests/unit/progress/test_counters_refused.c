/*
 * test_counters_refused.c - what makes the verdict ignore all of the driver's progress counters,
 * and what they do not prove.
 */
#include "attribution/attribution.h"

#include "support/check.h"
#include "support/words_case.h"

/* Each way in which counters can be wrong: the verdict is then the one without them. */
static void test_contradictions(void)
{
	for (enum counters_trouble trouble = COUNTERS_NO_TROUBLE; trouble < N_COUNTERS_TROUBLES;
	     trouble++) {
		struct verdict_case *c = words_begin(6);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 9, 0);
		builder_sync(&c->builder, stream, 4, "cuStreamSynchronize");
		if (trouble == COUNTERS_NOT_TRUSTED)
			builder_channel_row(&c->builder,
					    builder_channel(&c->builder, c->context, 1))
				->trust = CHANNEL_REFUSED;
		else if (trouble == COUNTERS_AGAINST_DONE)
			builder_channel_row(&c->builder, counters_channel)->started = 3;
		else if (trouble == COUNTERS_AGAINST_ORDER)
			words_set_state(c, 5, 1, 1); /* runs, although 6 has started */
		else if (trouble == COUNTERS_AGAINST_COUNTERS)
			words_set_state(c, 8, 2, 1);
		else if (trouble == COUNTERS_AGAINST_WAIT)
			case_find(c, 5)->flags = RECORD_MARKED_INLINE;
		else if (trouble == COUNTERS_AGAINST_FAILURE)
			words_set_state(c, 6, 5, 1);
		case_judge(c, ILLEGAL_ADDRESS);
		words_check_trouble(c, trouble);
		if (trouble == COUNTERS_NO_TROUBLE)
			CHECK_VERDICT(c, VERDICT_EXACT, 6);
		else
			CHECK_EQUAL(c->verdict.n_suspects,
				    trouble == COUNTERS_AGAINST_WAIT ? 1 : 5);
		case_end(c);
	}
}

/*
 * The counters say that the only unfinished launch had not started: something else failed. Nothing
 * is known about it, so the launch stays a suspect, and no more.
 */
static void test_everybody_is_cleared(void)
{
	struct verdict_case *c = words_begin(4);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 5, 0);
	builder_sync(&c->builder, stream, 4, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_AGAINST_FAILURE);
	CHECK_VERDICT(c, VERDICT_NARROWED, 5);
	CHECK(c->verdict.has_unseen && case_evidence(c, EVIDENCE_ALL_CLEARED));
	case_end(c);
}

/* Without the counters, no work is left either: they are not to blame. */
static void test_nothing_is_unfinished(void)
{
	struct verdict_case *c = words_begin(5);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 5, 0);
	builder_sync(&c->builder, stream, 5, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	case_check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	CHECK(!c->verdict.has_unseen && !case_evidence(c, EVIDENCE_ALL_CLEARED));
	case_end(c);
}

/*
 * Payloads that do not grow; a later one that has started; a marker that is ahead of the counter.
 */
static void test_more_contradictions(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct verdict_case *c = words_begin(6);
		uint32_t stream = case_stream(c);
		uint32_t other = case_stream(c);
		words_launch(c, stream, 9, 0);
		if (kind == 0) {
			case_find(c, 5)->progress.payload = 4;
		} else if (kind == 1) {
			case_find(c, 8)->progress.channel =
				builder_channel(&c->builder, c->context, 8);
		} else if (kind == 2) {
			builder_mark(&c->builder, stream, 7);
		} else {
			/* 10 has started and waits for 8, which has not. */
			builder_wait(&c->builder, CASE_TID, other, stream, 8);
			words_launch(c, other, 1, 0);
			case_find(c, 10)->progress.payload = 1;
		}
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
		CHECK(case_evidence(c, EVIDENCE_DRIVER_REFUSED));
		case_end(c);
	}
}

/* Work that waited for a submission also waited for the marker after it, which has not landed. */
static void test_missed_marker(void)
{
	struct verdict_case *c = words_begin_waiting(3);
	case_find(c, 1)->progress.channel = 0;
	case_find(c, 2)->progress.channel = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_find(c, 2)->flags = RECORD_MARKED_INLINE;
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_AGAINST_WAIT);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* The marker after a kernel that finished has not landed, although the next kernel has started. */
static void test_missed_marker_of_a_finished_kernel(void)
{
	struct verdict_case *c = words_begin(2);
	words_launch(c, case_stream(c), 3, RECORD_MARKED_INLINE);
	words_set_state(c, 1, 5, 1);
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_AGAINST_WAIT);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

/* The GPU stopped after a kernel and before its marker. The counters do not contradict that. */
static void test_marker_that_was_next(void)
{
	struct verdict_case *c = words_begin(1);
	words_launch(c, case_stream(c), 2, RECORD_MARKED_INLINE);
	words_launch(c, case_stream(c), 1, 0);
	words_set_state(c, 1, 5, 1);
	case_find(c, 3)->progress.payload = 1;
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_NO_TROUBLE);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	case_end(c);
}

/* The call of the second launch has not returned: it may be in the stream or not. */
static void test_overlap_across_a_pending_call(void)
{
	struct verdict_case *c = words_begin(3);
	uint32_t stream = case_stream(c);
	words_launch(c, stream, 2, 0);
	words_launch(c, stream, 1, RECORD_OVERLAPS);
	words_launch(c, stream, 1, 0);
	case_find(c, 2)->result = RESULT_PENDING;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_suspects(c, 1) && case_suspects(c, 2) && case_suspects(c, 3));
	case_end(c);
}

/* A kernel whose own state says that it runs is not believed to have finished. */
static void test_denied_end(void)
{
	for (uint32_t value = 0; value <= 2; value++) {
		struct verdict_case *c = words_begin(3);
		uint32_t stream = case_stream(c);
		uint32_t other = builder_channel(&c->builder, c->context, 8);
		builder_channel_row(&c->builder, other)->trust = CHANNEL_UNCHECKED;
		builder_channel_row(&c->builder, other)->n_checks = 0;
		words_launch(c, stream, 4, 0);
		words_set_state(c, 2, value, 1);
		case_find(c, 2)->progress.channel = other;
		case_judge(c, ILLEGAL_ADDRESS);
		if (value == 2) {
			CHECK_VERDICT(c, VERDICT_EXACT, 3);
		} else {
			words_check_trouble(c, COUNTERS_AGAINST_ORDER);
			CHECK(case_suspects(c, 2));
		}
		case_end(c);
	}
}

/* An event proves it finished, and its channel is not believed. Its own state still counts. */
static void test_denied_end_before_an_event(void)
{
	struct verdict_case *c = words_begin_waiting(3);
	uint32_t other = builder_channel(&c->builder, c->context, 8);
	builder_channel_row(&c->builder, other)->trust = CHANNEL_UNCHECKED;
	builder_channel_row(&c->builder, other)->n_checks = 0;
	words_set_state(c, 2, 1, 1);
	case_find(c, 2)->progress.channel = other;
	case_judge(c, ILLEGAL_ADDRESS);
	words_check_trouble(c, COUNTERS_AGAINST_DONE);
	case_end(c);
}

/* Work continues while dumps are written. Each other kind of doubt stays a doubt. */
static void test_forbidden(void)
{
	for (int kind = 0; kind < 3; kind++) {
		struct verdict_case *c = words_begin(7);
		uint32_t stream = case_stream(c);
		words_launch(c, stream, 10, 0);
		builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize");
		builder_failure_row(&c->builder)->flags = kind == 0   ? FAILURE_COREDUMPS
							  : kind == 1 ? FAILURE_UNKNOWN_LAUNCH
								      : FAILURE_STREAMS_LOST;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_EQUAL(c->verdict.class, kind == 1 ? VERDICT_LIKELY : VERDICT_NARROWED);
		CHECK_EQUAL(c->verdict.n_suspects, kind == 0 ? 10 : 1);
		case_end(c);
	}
}

/* Keep the counts as they were at the failure; the live ones have moved on since. */
static void freeze_counts(struct stream_row *row)
{
	row->submitted_then = row->submitted;
	row->synced_then = row->synced;
	row->synced_by_then = row->synced_by;
	row->flags |= STREAM_FROZEN;
	row->submitted += 3; /* of which there is no record */
	row->synced = row->submitted;
}

/* Another device continues after the failure, when the counters had been read. */
static void test_finished_later(void)
{
	for (int is_kept = 0; is_kept <= 1; is_kept++) {
		struct verdict_case *c = words_begin(6);
		uint32_t stream = case_stream(c);
		uint32_t other = case_stream(c);
		words_launch(c, stream, 6, 0);
		words_launch(c, other, 3, 0);
		builder_sync(&c->builder, stream, 5, "cuStreamSynchronize");
		if (is_kept)
			freeze_counts(builder_stream_row(&c->builder, other));
		else
			builder_sync(&c->builder, other, 3, "cuStreamSynchronize");
		case_judge(c, ILLEGAL_ADDRESS);
		words_check_trouble(c, is_kept ? COUNTERS_NO_TROUBLE : COUNTERS_AGAINST_DONE);
		CHECK_VERDICT(c, VERDICT_EXACT, 6);
		case_end(c);
	}
}

/* A row whose number is 0 is of no submission. Only a damaged bundle has one. */
static void test_a_number_of_zero_is_not_over(void)
{
	struct verdict_case *c = words_begin(2);
	words_launch(c, case_stream(c), 2, 0);
	case_find(c, 2)->sequence = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK(case_evidence(c, EVIDENCE_DRIVER_STOPPED));
	CHECK(!case_evidence(c, EVIDENCE_DRIVER_OVER));
	case_end(c);
}

int main(void)
{
	test_contradictions();
	test_everybody_is_cleared();
	test_nothing_is_unfinished();
	test_more_contradictions();
	test_missed_marker();
	test_missed_marker_of_a_finished_kernel();
	test_marker_that_was_next();
	test_overlap_across_a_pending_call();
	test_denied_end();
	test_denied_end_before_an_event();
	test_forbidden();
	test_finished_later();
	test_a_number_of_zero_is_not_over();
	return 0;
}

/*
 * test_markers.c - what is sent for a marker, and what it then shows.
 */
#include "record/streams/markers.h"

#include "streams/marker_case.h"
#include "support/check.h"

/* Every submission has its marker, in the word that the first one got. */
static void test_inline(void)
{
	struct journal_record record = {.flags = RECORD_UNORDERED};
	marker_case_start(MARKERS_INLINE, 1, 0);
	CHECK(markers_are_wanted());
	sim.words[0] = 99;
	for (int i = 0; i < 3; i++) {
		CHECK(marker_case_submit_row(&record, UNTOLD));
		CHECK_STRING(sim.order, "v");
		CHECK(sim.written_on == sim.stream.handle && sim.newest_place == 0x7000);
		CHECK_EQUAL(sim.stream.marked, sim.row.submitted);
		CHECK_EQUAL(markers_landed(&sim.stream), 7);
	}
	CHECK_EQUAL(record.flags, RECORD_UNORDERED | RECORD_MARKED_INLINE);
	CHECK_EQUAL(sim.n_samples, 3);
	CHECK_EQUAL(sim.context.markers.n_words, 1);
	CHECK(!sim.row.side && !sim.stream.event);
	marker_case_land();
	CHECK_EQUAL(markers_landed(&sim.stream), 10);
}

/* A side marker needs an event, which is made once. */
static void test_side(void)
{
	struct journal_record record = {0};
	marker_case_start(MARKERS_SIDE, 1, 0);
	sim.context.markers.n_words = 1;
	CHECK(marker_case_submit_row(&record, UNTOLD));
	CHECK_STRING(sim.order, "erwv");
	CHECK(sim.written_on == sim.context.markers.side[0] && sim.newest_place == 0x7004);
	CHECK_EQUAL(record.flags, RECORD_MARKED_SIDE);
	CHECK_EQUAL(sim.row.side, 1);
	CHECK(marker_case_submit(UNTOLD));
	CHECK_STRING(sim.order, "rwv");
	CHECK_EQUAL(sim.n_events, 1);
	CHECK_EQUAL(sim.n_samples, 0);
}

/* The word holds 32 bits of the ordinal. */
static void test_wide_ordinals(void)
{
	marker_case_start(MARKERS_INLINE, 1, 0);
	sim.row.before = sim.row.submitted = sim.stream.marked = 0x1fffffffe;
	CHECK_EQUAL(markers_landed(&sim.stream), 0x1fffffffe);
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(markers_landed(&sim.stream), 0x1fffffffe);
	marker_case_land();
	CHECK(marker_case_submit(UNTOLD) && marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.row.submitted, 0x200000001);
	CHECK_EQUAL(markers_landed(&sim.stream), 0x1ffffffff);
	marker_case_land();
	CHECK_EQUAL(markers_landed(&sim.stream), 0x200000001);
}

static void test_interval(void)
{
	marker_case_start(MARKERS_INLINE, 3, 0);
	for (uint64_t ordinal = 8; ordinal < 17; ordinal++)
		CHECK_EQUAL(marker_case_submit(UNTOLD), ordinal % 3 == 0);
	marker_case_start(MARKERS_OFF, 1, 0);
	CHECK(!markers_are_wanted() && !marker_case_submit(UNTOLD));
	markers_follow_last(&sim.stream);
	CHECK_EQUAL(sim.row.followed, 0);
}

/* With inline markers from a submission on, there are few before it, and all are inline. */
static void test_first(void)
{
	struct journal_record before = {.sequence = 9};
	struct journal_record first = {.sequence = 10};
	marker_case_start(MARKERS_INLINE, 1, 10);
	for (int i = 0; i < N_EARLY; i++)
		CHECK(marker_case_submit_row(&before, UNTOLD));
	CHECK(!marker_case_submit_row(&before, UNTOLD));
	sim.now_ns = sim.stream.marked_ns + SECOND - 1;
	CHECK(!marker_case_submit_row(&before, UNTOLD));
	sim.now_ns = sim.stream.marked_ns + SECOND;
	CHECK(marker_case_submit_row(&before, UNTOLD) && sim.written_on == sim.stream.handle);
	CHECK(!marker_case_submit_row(&before, UNTOLD));
	CHECK(marker_case_submit_row(&first, UNTOLD) && marker_case_submit(UNTOLD));
}

/* No marker is sent where it could not be: the driver refuses, or the context or stream ends. */
static void test_no_marker(void)
{
	struct journal_record record = {0};
	marker_case_start(MARKERS_INLINE, 1, 0);
	sim.context.markers.state = MARKER_MEMORY_PREPARING;
	CHECK(!marker_case_submit(UNTOLD) && !sim.stream.word);
	sim.context.markers.state = MARKER_MEMORY_READY;
	sim.context.markers.n_words = MARKER_WORDS;
	CHECK(!marker_case_submit(UNTOLD) && !sim.stream.word);
	sim.context.markers.n_words = MARKER_WORDS - 1;
	sim.context.is_ending = true;
	CHECK(!marker_case_submit(UNTOLD) && !sim.stream.word);
	sim.context.is_ending = false;
	sim.stream.is_ended = true;
	CHECK(!marker_case_submit(UNTOLD) && !sim.stream.word);
	sim.stream.is_ended = false;
	sim.result = CUDA_ERROR_LAUNCH_FAILED;
	(void)marker_case_submit_row(&record, UNTOLD);
	CHECK(sim.stream.marked == 7 && !record.flags && !sim.n_samples && !sim.stream.marked_ns);
	sim.result = CUDA_SUCCESS;
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.newest_place, 0x7000 + (MARKER_WORDS - 1) * 4);
	marker_case_start(MARKERS_SIDE, 1, 0);
	sim.result = CUDA_ERROR_OUT_OF_MEMORY;
	(void)marker_case_submit_row(&record, UNTOLD);
	CHECK_STRING(sim.order, "e");
	CHECK(!sim.row.side && !record.flags);
}

/* Before a stream's end its newest submission gets a marker, unless it has one. */
static void test_last(void)
{
	marker_case_start(MARKERS_INLINE, 4, 0);
	CHECK(marker_case_submit(UNTOLD)); /* #8 */
	markers_follow_last(&sim.stream);
	CHECK(sim.n_writes == 1 && !sim.row.followed);
	CHECK(!marker_case_submit(UNTOLD));
	markers_follow_last(&sim.stream);
	CHECK(sim.n_writes == 2 && sim.newest_value == 9);
	CHECK_EQUAL(sim.row.followed, 9);
	CHECK(!marker_case_submit(UNTOLD));
	sim.result = CUDA_ERROR_LAUNCH_FAILED;
	markers_follow_last(&sim.stream);
	CHECK_EQUAL(sim.row.followed, 0);
	sim.result = CUDA_SUCCESS;
	sim.n_writes = 0;
	sim.context.is_ending = true;
	markers_follow_last(&sim.stream);
	CHECK(sim.n_writes == 0 && !sim.row.followed);
	sim.context.is_ending = false;
	markers_follow_last(&sim.stream);
	CHECK(sim.n_writes == 1 && sim.row.followed == 10);
}

int main(void)
{
	test_inline();
	test_side();
	test_wide_ordinals();
	test_interval();
	test_first();
	test_no_marker();
	test_last();
	return 0;
}

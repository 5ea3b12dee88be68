/*
 * test_marker_times.c - when scheme auto sends a marker.
 */
#include "record/streams/markers.h"

#include "streams/marker_case.h"
#include "support/check.h"

enum { ALONE_AFTER = 64 };

/* Use up the context's early inline markers; all land at once. */
static void pass_early(void)
{
	for (int i = 0; i < N_EARLY; i++) {
		CHECK(marker_case_submit(TOLD) && sim.written_on == sim.stream.handle);
		marker_case_land();
	}
	CHECK_EQUAL(sim.context.markers.n_early, N_EARLY);
	CHECK(!sim.stream.probe && !sim.row.side);
}

/* A stream with counters has one side marker a second, and is not looked at in between. */
static void test_told(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	pass_early();
	CHECK(!marker_case_submit(TOLD));
	CHECK_EQUAL(sim.stream.quiet_until_ns, sim.now_ns + 100 * MS);
	sim.now_ns = sim.stream.marked_ns + SECOND - 1;
	CHECK(!marker_case_submit(TOLD));
	CHECK_EQUAL(sim.stream.quiet_until_ns, sim.stream.marked_ns + SECOND);
	sim.now_ns++;
	CHECK(marker_case_submit(TOLD) && sim.written_on == sim.context.markers.side[0]);
	CHECK_EQUAL(sim.row.side, 1);
	/* Other schemes follow the GPU whether the counters do or not. */
	marker_case_start(MARKERS_SIDE, 2, 0);
	CHECK(marker_case_submit(TOLD) && !marker_case_submit(TOLD) && marker_case_submit(TOLD));
	CHECK_EQUAL(sim.stream.quiet_until_ns, 0);
}

/* A trial of the counters is made at a told submission, with inline markers only. */
static void test_trials(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.goes_on = true;
	CHECK(marker_case_submit(TOLD)); /* there was no word yet */
	CHECK_EQUAL(sim.n_trials, 0);
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.n_trials, 0);
	CHECK(marker_case_submit(TOLD));
	CHECK_EQUAL(sim.n_trials, 1);
	sim.context.markers.n_early = N_EARLY;
	CHECK(!marker_case_submit(TOLD));
	CHECK_EQUAL(sim.n_trials, 2);
	CHECK_EQUAL(sim.stream.quiet_until_ns, 0);
	sim.row.side = 1;
	sim.context.markers.n_early = 0;
	CHECK(!marker_case_submit(TOLD));
	CHECK_EQUAL(sim.n_trials, 2);
}

/* Auto's next marker comes when 32 times the cost of one has passed. */
static void test_pause(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.context.markers.n_early = N_EARLY;
	CHECK(marker_case_submit(UNTOLD) && sim.written_on == sim.context.markers.side[0]);
	CHECK_EQUAL(sim.stream.marker_cost_ns, COST / 4);
	CHECK_EQUAL(sim.stream.probe, sim.row.submitted);
	marker_case_land();
	sim.now_ns = sim.stream.marked_ns + COST / 4 * 32 - 1;
	CHECK(!marker_case_submit(UNTOLD));
	CHECK(!sim.stream.probe && !sim.stream.is_behind);
	sim.now_ns++;
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.stream.marker_cost_ns, (3 * COST / 4 + COST) / 4);
}

/* While the GPU lags, and for as long as the newest probe says so, each submission is followed. */
static void test_behind(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.context.markers.n_early = N_EARLY;
	CHECK(marker_case_submit(UNTOLD));
	sim.stream.marker_cost_ns = 10 * MS;
	sim.now_ns = sim.stream.probe_ns + 40 * US - 1;
	CHECK(!marker_case_submit(UNTOLD) && !sim.stream.is_behind);
	sim.now_ns = sim.stream.probe_ns + 40 * US;
	CHECK(marker_case_submit(UNTOLD) && sim.stream.is_behind);
	/* The probe is seen landed, late. */
	uint64_t probe = sim.stream.probe;
	marker_case_land();
	sim.stream.marker_cost_ns = 10 * MS;
	CHECK(marker_case_submit(UNTOLD) && sim.stream.is_behind);
	CHECK(sim.stream.probe > probe);
	/* The next one is seen landed in time. */
	marker_case_land();
	sim.stream.marker_cost_ns = 10 * MS;
	sim.now_ns = sim.stream.probe_ns + 1;
	CHECK(!marker_case_submit(UNTOLD));
	CHECK(!sim.stream.is_behind && !sim.stream.probe);
	/* The clock of another thread may be ahead. */
	sim.now_ns = sim.stream.marked_ns - 10;
	CHECK(!marker_case_submit(UNTOLD));
}

/* Let the other stream submit, just after a marker of its own. */
static void submit_other(void)
{
	sim.other.marked_ns = sim.now_ns;
	sim.other_row.submitted++;
	markers_follow(&sim.other, sim.other_row.submitted, sim.now_ns, NULL, UNTOLD);
}

/* With two streams, markers are 200 us apart, until one has been alone for 64 submissions. */
static void test_company(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.context.markers.n_early = N_EARLY;
	sim.context.markers.n_submissions = 10;
	CHECK(marker_case_submit(UNTOLD)); /* the first marker, in company */
	submit_other();
	uint64_t marked_ns = sim.stream.marked_ns;
	sim.now_ns = marked_ns + 200 * US - 1;
	CHECK(!marker_case_submit(UNTOLD));
	CHECK(sim.stream.is_behind); /* but that makes no difference */
	CHECK(!marker_case_submit(UNTOLD));
	for (int i = 2; i < ALONE_AFTER; i++)
		CHECK(!marker_case_submit(UNTOLD));
	CHECK(marker_case_submit(UNTOLD));
	submit_other();
	sim.now_ns = sim.stream.marked_ns + 200 * US;
	CHECK(marker_case_submit(UNTOLD));
	/* Unordered work has company's interval even if it is alone. */
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.context.markers.n_early = N_EARLY;
	sim.row.flags = STREAM_UNORDERED;
	CHECK(marker_case_submit(UNTOLD));
	sim.now_ns = sim.stream.marked_ns + 200 * US - 1;
	CHECK(!marker_case_submit(UNTOLD));
	sim.now_ns++;
	CHECK(marker_case_submit(UNTOLD));
}

/* With a single queue of the GPU, markers are 2 ms apart, however far behind the GPU is. */
static void test_one_queue(void)
{
	sim.has_one_queue = true;
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.has_one_queue = false;
	sim.context.markers.n_early = N_EARLY;
	CHECK(marker_case_submit(UNTOLD));
	sim.now_ns = sim.stream.marked_ns + 2 * MS - 1;
	CHECK(!marker_case_submit(UNTOLD) && sim.stream.is_behind);
	sim.now_ns++;
	CHECK(marker_case_submit(UNTOLD));
}

/* A marker that took far longer than one takes says nothing of its cost. */
static void test_cost(void)
{
	marker_case_start(MARKERS_AUTO, 0, 0);
	sim.context.markers.n_early = N_EARLY;
	sim.stream.marker_cost_ns = 400;
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.stream.marker_cost_ns, (3 * 400 + COST) / 4);
	uint64_t probe = sim.stream.probe;
	sim.now_ns += SECOND;
	CHECK(marker_case_submit(UNTOLD));
	CHECK_EQUAL(sim.stream.probe, probe); /* the first one is still watched */
}

int main(void)
{
	test_told();
	test_trials();
	test_pause();
	test_behind();
	test_company();
	test_one_queue();
	test_cost();
	return 0;
}

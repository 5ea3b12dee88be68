/*
 * test_timeline.c - unit tests of timeline: states agree with the verdict, edges, and lanes.
 */
#include "timeline/timeline.h"

#include "support/check.h"
#include "support/sample_bundle.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

static const struct timeline_work *find(const struct timeline *timeline, uint64_t sequence)
{
	const struct timeline_work *found = NULL;
	for (size_t i = 0; i < timeline->n_works && !found; i++) {
		if (timeline->works[i].sequence == sequence)
			found = &timeline->works[i];
	}
	CHECK(found != NULL);
	return found;
}

static enum timeline_state state(const struct timeline *timeline, uint64_t sequence)
{
	return (enum timeline_state)find(timeline, sequence)->state;
}

/* Compute the verdict and open its timeline. */
static struct timeline open_case(struct verdict_case *c)
{
	case_judge(c, ILLEGAL_ADDRESS);
	struct timeline timeline;
	CHECK_EQUAL(timeline_open(&c->view, &c->verdict, &timeline), 0);
	return timeline;
}

static void shows_finished_culprit_and_waiting(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 10, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 6);
	struct timeline timeline = open_case(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 7);
	CHECK_EQUAL(timeline.n_works, 10);
	CHECK_EQUAL(timeline.n_lanes, 1);
	CHECK_EQUAL(state(&timeline, 6), TIMELINE_FINISHED);
	CHECK_EQUAL(state(&timeline, 7), TIMELINE_STARTABLE);
	CHECK_EQUAL(find(&timeline, 7)->suspect, 1);
	CHECK_EQUAL(state(&timeline, 8), TIMELINE_WAITING);
	CHECK_EQUAL(find(&timeline, 8)->suspect, 0);
	timeline_close(&timeline);
	case_end(c);
}

static void uses_the_drivers_progress_counters(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t channel = builder_channel(&c->builder, c->context, 12);
	uint32_t kernels = builder_kernel_state(&c->builder, stream, 4 * 1 + 1);
	case_launch(c, stream, 4);
	for (uint32_t i = 1; i <= 4; i++)
		case_find(c, i)->progress = (struct record_progress){
			.channel = channel, .payload = 10 + i, .state = kernels, .turn = i};
	struct timeline timeline = open_case(c);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	CHECK_EQUAL(state(&timeline, 1), TIMELINE_FINISHED);
	CHECK_EQUAL(state(&timeline, 2), TIMELINE_RUNNING);
	CHECK_EQUAL(state(&timeline, 3), TIMELINE_WAITING);
	timeline_close(&timeline);
	case_end(c);
}

static void has_an_edge_for_each_event_wait(void)
{
	struct verdict_case *c = case_begin();
	uint32_t first = case_stream(c);
	uint32_t second = case_stream(c);
	case_launch(c, first, 3);
	case_launch(c, second, 1);
	builder_wait(&c->builder, CASE_TID, second, first, 2);
	case_launch(c, second, 1);
	builder_wait(&c->builder, CASE_TID, second, first, 3); /* no submission follows it */
	struct timeline timeline = open_case(c);
	CHECK_EQUAL(timeline.n_edges, 1);
	CHECK_EQUAL(timeline.edges[0].from, 2);
	CHECK_EQUAL(timeline.edges[0].to, 5);
	CHECK_EQUAL(timeline.lanes[timeline.edges[0].to_lane].stream, second);
	timeline_close(&timeline);
	case_end(c);
}

static void shows_refused_and_late_work(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 3);
	builder_reject(&c->builder, case_find(c, 2), 1);
	case_find(c, 3)->ordinal = 2;
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize");
	case_launch(c, stream, 1);
	struct timeline timeline = open_case(c);
	CHECK_EQUAL(state(&timeline, 2), TIMELINE_REJECTED);
	CHECK_EQUAL(state(&timeline, 4), TIMELINE_LATE);
	timeline_close(&timeline);
	case_end(c);
}

/* Without a verdict, only work that syncs and markers cover is finished. */
static void claims_nothing_without_a_verdict(void)
{
	static const struct verdict nothing = {.unknown_reason = UNKNOWN_BAD_BUNDLE};
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 3);
	builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	struct timeline timeline;
	CHECK_EQUAL(timeline_open(&c->view, &nothing, &timeline), 0);
	CHECK_EQUAL(state(&timeline, 1), TIMELINE_FINISHED);
	CHECK_EQUAL(state(&timeline, 2), TIMELINE_UNKNOWN);
	timeline_close(&timeline);
	case_end(c);
}

static void gives_each_stream_its_lane(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	uint64_t n = 0;
	case_judge(c, ILLEGAL_ADDRESS);
	struct timeline timeline;
	CHECK_EQUAL(timeline_open(&c->view, &c->verdict, &timeline), 0);
	for (size_t i = 0; i < timeline.n_lanes; i++)
		n += timeline.lanes[i].n;
	CHECK_EQUAL(n, timeline.n_works);
	CHECK_EQUAL(timeline.lanes[0].stream, c->verdict.streams[0].stream);
	CHECK_EQUAL(timeline.lanes[0].first, 1);
	CHECK_EQUAL(timeline.lanes[0].last, 10);
	struct journal_record record;
	CHECK(timeline_record(&timeline, find(&timeline, 7), &record));
	CHECK_EQUAL(record.sequence, 7);
	timeline_close(&timeline);
	case_end(c);
}

int main(void)
{
	shows_finished_culprit_and_waiting();
	uses_the_drivers_progress_counters();
	has_an_edge_for_each_event_wait();
	shows_refused_and_late_work();
	claims_nothing_without_a_verdict();
	gives_each_stream_its_lane();
	return 0;
}

/*
 * timeline.c - walk the rings and put each submission on its stream's lane.
 */
#include "timeline/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline_parts.h"
#include "view/record_walk.h"

/* Call `add` for each readable record of all rings until it returns an error. */
static int add_all(const struct bundle_view *view,
		   int (*add)(struct timeline_builder *builder, uint32_t slot, uint64_t position,
			      const struct journal_record *record),
		   struct timeline_builder *builder)
{
	int result = 0;
	struct record_walk walk = {.view = view};
	while (!result && record_walk_next(&walk))
		result = add(builder, walk.slot, walk.position, &walk.record);
	return result;
}

/* Make room for one more than n elements, doubling a full array. Return 0 or -ENOMEM. */
static int make_room(void **array, size_t n, size_t *room, size_t size)
{
	size_t wanted = *room ? 2 * *room : 256;
	void *larger = n < *room ? *array : reallocarray(*array, wanted, size);
	if (!larger)
		return -ENOMEM;
	if (n == *room)
		*room = wanted;
	*array = larger;
	return 0;
}

static int add_lane(struct timeline_builder *builder, uint32_t stream)
{
	struct timeline *timeline = builder->timeline;
	if (builder->lane_of[stream] != NO_LANE)
		return 0;
	if (make_room((void **)&timeline->lanes, timeline->n_lanes, &builder->lane_room,
		      sizeof(timeline->lanes[0])))
		return -ENOMEM;
	builder->lane_of[stream] = (uint32_t)timeline->n_lanes;
	timeline->lanes[timeline->n_lanes++] = (struct timeline_lane){.stream = stream};
	return 0;
}

static int add_work(struct timeline_builder *builder, uint32_t slot, uint64_t position,
		    const struct journal_record *record)
{
	struct timeline *timeline = builder->timeline;
	uint32_t stream = view_stream(timeline->view, record->stream) ? record->stream : 0;
	if (make_room((void **)&timeline->works, timeline->n_works, &builder->work_room,
		      sizeof(timeline->works[0])) ||
	    add_lane(builder, stream))
		return -ENOMEM;
	timeline->works[timeline->n_works++] =
		(struct timeline_work){.sequence = record->sequence,
				       .time_ns = record->time_ns,
				       .ordinal = record->ordinal,
				       .position = position,
				       .slot = slot,
				       .tid = record->tid,
				       .lane = builder->lane_of[stream],
				       .state = (uint8_t)timeline_state_of(builder, record),
				       .work = record->work};
	return 0;
}

static int add_wait(struct timeline_builder *builder, const struct journal_record *record)
{
	if (!view_stream(builder->timeline->view, record->event.source_stream) ||
	    !view_stream(builder->timeline->view, record->stream))
		return 0;
	if (make_room((void **)&builder->waits, builder->n_waits, &builder->wait_room,
		      sizeof(builder->waits[0])))
		return -ENOMEM;
	builder->waits[builder->n_waits++] =
		(struct timeline_wait){.stream = record->stream,
				       .ordinal = record->ordinal,
				       .source = record->event.source_stream,
				       .source_ordinal = record->event.source_ordinal};
	return 0;
}

static int add_record(struct timeline_builder *builder, uint32_t slot, uint64_t position,
		      const struct journal_record *record)
{
	if (record->kind == RECORD_SUBMISSION)
		return add_work(builder, slot, position, record);
	return record->kind == RECORD_EVENT_WAIT ? add_wait(builder, record) : 0;
}

static int add_streams(struct timeline_builder *builder)
{
	const struct verdict *verdict = builder->verdict;
	int result = 0;
	for (uint32_t i = 0; !result && i < verdict->n_streams; i++)
		if (view_stream(builder->timeline->view, verdict->streams[i].stream))
			result = add_lane(builder, verdict->streams[i].stream);
	return result;
}

static int compare_works(const void *one, const void *other)
{
	const struct timeline_work *a = one;
	const struct timeline_work *b = other;
	if (a->sequence != b->sequence)
		return a->sequence < b->sequence ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

static struct timeline_work *find_work(const struct timeline *timeline, uint64_t sequence,
				       uint32_t slot)
{
	const struct timeline_work wanted = {.sequence = sequence, .slot = slot};
	return timeline->n_works ? bsearch(&wanted, timeline->works, timeline->n_works,
					   sizeof(wanted), compare_works)
				 : NULL;
}

/* Mark the suspects. If a core dump names work that a sync calls finished, the core dump wins. */
static void mark_suspects(struct timeline_builder *builder)
{
	const struct verdict *verdict = builder->verdict;
	for (uint64_t i = 0; i < verdict->n_suspects && i < VERDICT_MAX_SUSPECTS; i++) {
		struct timeline_work *work =
			find_work(builder->timeline, verdict->suspects[i].record.sequence,
				  verdict->suspects[i].slot);
		if (work)
			work->suspect = (uint8_t)(i + 1);
		if (work && work->state == TIMELINE_FINISHED)
			work->state = TIMELINE_STARTABLE;
	}
}

static void count_lanes(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_works; i++) {
		struct timeline_lane *lane = &timeline->lanes[timeline->works[i].lane];
		if (!lane->n++)
			lane->first = timeline->works[i].sequence;
		lane->last = timeline->works[i].sequence;
	}
}

static int fill(struct timeline_builder *builder)
{
	struct timeline *timeline = builder->timeline;
	int result = timeline_states_begin(builder);
	if (!result)
		result = add_streams(builder);
	if (!result)
		result = add_all(timeline->view, add_record, builder);
	if (result)
		return result;
	if (timeline->n_works)
		qsort(timeline->works, timeline->n_works, sizeof(timeline->works[0]),
		      compare_works);
	mark_suspects(builder);
	count_lanes(timeline);
	return timeline_edges_find(builder);
}

int timeline_open(const struct bundle_view *view, const struct verdict *verdict,
		  struct timeline *out)
{
	struct timeline timeline = {.view = view};
	struct timeline_builder builder = {.timeline = &timeline, .verdict = verdict};
	int result = fill(&builder);
	free(builder.lane_of);
	free(builder.states);
	free(builder.waits);
	if (result)
		timeline_close(&timeline);
	else
		*out = timeline;
	return result;
}

void timeline_close(struct timeline *timeline)
{
	free(timeline->works);
	free(timeline->lanes);
	free(timeline->edges);
	*timeline = (struct timeline){0};
}

bool timeline_record(const struct timeline *timeline, const struct timeline_work *work,
		     struct journal_record *out)
{
	return view_record(timeline->view, work->slot, work->position, out) &&
	       out->sequence == work->sequence;
}

const char *timeline_state_text(enum timeline_state state)
{
	static const char *const texts[N_TIMELINE_STATES] = {
		[TIMELINE_UNKNOWN] = "not known",
		[TIMELINE_FINISHED] = "finished",
		[TIMELINE_RUNNING] = "running",
		[TIMELINE_STARTED] = "started",
		[TIMELINE_STARTABLE] = "may have started",
		[TIMELINE_WAITING] = "not started",
		[TIMELINE_REJECTED] = "refused by the driver",
		[TIMELINE_LATE] = "after the failure",
	};
	return texts[state];
}

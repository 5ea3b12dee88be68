/*
 * timeline_states.c - derive each submission's state from the verdict on its stream.
 */
#include "timeline/timeline_parts.h"

#include <errno.h>
#include <stdlib.h>

#include "progress/driver_counters.h"
#include "progress/progress.h"
#include "progress/stream_counts.h"

static struct moment moment_of(const struct bundle_view *view)
{
	const struct failure_row *failure = view_failure(view);
	if (!failure)
		return (struct moment){.sequence = UINT64_MAX, .time_ns = UINT64_MAX};
	return (struct moment){.code = failure->code,
			       .flags = failure->flags,
			       .sequence = failure->sequence,
			       .time_ns = failure->time_ns};
}

int timeline_states_begin(struct timeline_builder *builder)
{
	const struct bundle_view *view = builder->timeline->view;
	const struct verdict *verdict = builder->verdict;
	builder->moment = moment_of(view);
	trusted_channels_find(view, &builder->moment, &builder->trust);
	builder->timeline->is_doubted =
		verdict->coredump || (builder->moment.flags & FAILURE_COREDUMPS);
	builder->n_streams = (uint32_t)view->tables[JOURNAL_STREAMS].n_rows;
	builder->lane_of = calloc(builder->n_streams + (size_t)1, sizeof(builder->lane_of[0]));
	builder->states = calloc(builder->n_streams + (size_t)1, sizeof(builder->states[0]));
	if (!builder->lane_of || !builder->states)
		return -ENOMEM;
	for (size_t id = 0; id <= builder->n_streams; id++)
		builder->lane_of[id] = NO_LANE;
	for (uint32_t i = 0; i < verdict->n_streams; i++)
		if (verdict->streams[i].stream <= builder->n_streams)
			builder->states[verdict->streams[i].stream] = &verdict->streams[i];
	return 0;
}

static enum timeline_state state_by_counters(const struct timeline_builder *builder,
					     const struct journal_record *record)
{
	/* A call that has not returned may still be writing its record. */
	if (record->result != 0)
		return TIMELINE_UNKNOWN;
	switch (driver_counters_of(builder->timeline->view, &builder->moment, &builder->trust,
				   record)) {
	case COUNTERS_FINISHED:
		return TIMELINE_FINISHED;
	case COUNTERS_RUNNING:
		return TIMELINE_RUNNING;
	case COUNTERS_STARTED:
	case COUNTERS_OVER:
		return TIMELINE_STARTED;
	case COUNTERS_WAITING:
		return TIMELINE_WAITING;
	default:
		return TIMELINE_UNKNOWN;
	}
}

/* Return the state of a submission on a stream that the verdict lists. */
static enum timeline_state state_on(const struct stream_state *stream,
				    const struct timeline_builder *builder,
				    const struct journal_record *record)
{
	enum timeline_state said = TIMELINE_UNKNOWN;
	if (record->ordinal <= stream->done)
		return TIMELINE_FINISHED;
	if (stream->has_counters)
		said = state_by_counters(builder, record);
	if (said != TIMELINE_UNKNOWN)
		return said;
	return record->ordinal > stream->startable ? TIMELINE_WAITING : TIMELINE_STARTABLE;
}

/* True if the verdict lists all streams with unfinished work, so that other work has finished. */
static bool has_judged_all(const struct verdict *verdict)
{
	return verdict->n_streams > 0 && verdict->n_streams_unlisted == 0;
}

enum timeline_state timeline_state_of(const struct timeline_builder *builder,
				      const struct journal_record *record)
{
	const struct bundle_view *view = builder->timeline->view;
	const struct stream_row *row = view_stream(view, record->stream);
	if (!progress_may_be_queued(view, &builder->moment, record))
		return TIMELINE_REJECTED;
	if (record->sequence > builder->moment.sequence)
		return TIMELINE_LATE;
	if (!row || record->ordinal == 0 || (record->flags & RECORD_UNORDERED))
		return TIMELINE_UNKNOWN;
	if (builder->states[record->stream])
		return state_on(builder->states[record->stream], builder, record);
	if (record->ordinal <= stream_counts_at(row, &builder->moment).synced ||
	    record->ordinal <= row->marked || has_judged_all(builder->verdict))
		return TIMELINE_FINISHED;
	return TIMELINE_UNKNOWN;
}

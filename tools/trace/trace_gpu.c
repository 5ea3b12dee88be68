/*
 * trace_gpu.c - draw streams as tracks from the timeline's states and time bounds.
 */
#include "trace/trace_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "timeline/timeline.h"

/* One end of an event wait's arrow. */
struct arrow {
	uint64_t sequence;
	struct trace_flow flow;
};

struct lanes {
	const struct trace_job *job;
	struct arrow *arrows; /* sorted by sequence */
	size_t n_arrows;
};

static int compare_arrows(const void *a, const void *b)
{
	const struct arrow *left = a;
	const struct arrow *right = b;
	return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

static int find_arrows(struct lanes *lanes)
{
	const struct timeline *timeline = lanes->job->timeline;
	lanes->arrows = calloc(2 * timeline->n_edges + 1, sizeof(lanes->arrows[0]));
	if (!lanes->arrows)
		return -ENOMEM;
	for (size_t index = 0; index < timeline->n_edges; index++) {
		const struct timeline_edge *edge = &timeline->edges[index];
		uint64_t flow = trace_flow_of_edge(index);
		lanes->arrows[lanes->n_arrows++] = (struct arrow){edge->from, {flow, true}};
		lanes->arrows[lanes->n_arrows++] = (struct arrow){edge->to, {flow, false}};
	}
	qsort(lanes->arrows, lanes->n_arrows, sizeof(lanes->arrows[0]), compare_arrows);
	return 0;
}

static void add_arrows(const struct lanes *lanes, uint64_t sequence, struct trace_event *event)
{
	size_t low = 0;
	size_t high = lanes->n_arrows;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lanes->arrows[middle].sequence < sequence)
			low = middle + 1;
		else
			high = middle;
	}
	/* Stop at an event's limit: in a corrupt journal all arrows could have the same number. */
	for (; low < lanes->n_arrows && lanes->arrows[low].sequence == sequence &&
	       event->n_flows < TRACE_MAX_FLOWS;
	     low++)
		trace_event_flow(event, lanes->arrows[low].flow.number,
				 lanes->arrows[low].flow.is_source);
}

/* A stream's row may have been reused: the work of earlier streams has lower ordinals. */
static struct trace_track track_of(const struct trace_job *job, const struct timeline_work *work)
{
	uint32_t id = job->timeline->lanes[work->lane].stream;
	const struct stream_row *stream = view_stream(job->analysis->report.view, id);
	if (work->state == TIMELINE_UNKNOWN || !stream)
		return (struct trace_track){TRACE_UNPLACED, 0};
	if (work->state == TIMELINE_WAITING || work->state == TIMELINE_LATE ||
	    work->state == TIMELINE_REJECTED)
		return (struct trace_track){TRACE_STREAM_WAITING, id};
	if (work->ordinal <= stream->before)
		return (struct trace_track){TRACE_STREAM_EARLIER, id};
	return (struct trace_track){TRACE_STREAM, id};
}

static const char *category_of(const struct trace_job *job, const struct timeline_work *work,
			       const struct timeline_span *span)
{
	if (timeline_is_culprit(job->analysis->verdict, work))
		return "gpu.culprit";
	if (work->suspect && job->analysis->verdict->failure.code)
		return "gpu.suspect";
	if (work->state == TIMELINE_FINISHED)
		return span->finished_by_ns ? "gpu.bounded" : "gpu.unknown";
	if (work->state == TIMELINE_WAITING)
		return "gpu.waiting";
	return work->state == TIMELINE_UNKNOWN || work->state == TIMELINE_REJECTED ||
			       work->state == TIMELINE_LATE
		       ? "gpu.unknown"
		       : "gpu.open";
}

static void add_bounds(const struct timeline_work *work, const struct timeline_span *span,
		       bool is_culprit, struct trace_event *event)
{
	trace_event_note(event, "state",
			 is_culprit ? "started and never finished"
				    : timeline_state_text((enum timeline_state)work->state));
	if (event->track.kind == TRACE_STREAM_WAITING || event->track.kind == TRACE_UNPLACED)
		return;
	trace_event_note(event, "begin",
			 span->started_by_ns ? "bounded; not before the drawn start"
					     : "unknown; not before the drawn start");
	if (span->started_by_ns && span->started_by_ns != span->finished_by_ns)
		trace_event_number(event, "begun_by_ns", span->started_by_ns);
	if (work->state == TIMELINE_FINISHED)
		trace_event_note(event, "end", span->finished_by_ns ? "bounded" : "unknown");
	if (span->finished_by_ns)
		trace_event_number(event, "ended_by_ns", span->finished_by_ns);
}

/* Fill in an event from a submission. `name` and `shape` are buffers for its texts. */
static void describe(const struct lanes *lanes, const struct timeline_work *work,
		     const struct timeline_span *span, struct text *name, struct text *shape,
		     struct trace_event *event)
{
	const struct trace_job *job = lanes->job;
	bool is_culprit = timeline_is_culprit(job->analysis->verdict, work);
	trace_event_number(event, "submission", work->sequence);
	struct journal_record record;
	if (timeline_record(job->timeline, work, &record)) {
		report_work_name(&job->analysis->report, &record, true, name);
		event->stack = record.stack;
		if (record.work == WORK_KERNEL)
			report_launch_shape(&record, shape);
	} else {
		text_add(name, "overwritten");
	}
	if (is_culprit)
		trace_event_note(event, "verdict",
				 report_verdict_label(job->analysis->verdict->class));
	add_bounds(work, span, is_culprit, event);
	trace_event_flow(event, trace_flow_of_submission(work->sequence), false);
	add_arrows(lanes, work->sequence, event);
}

/* End a slice no later than the next one on its track starts (`next_ns`; 0: no next one). */
static void end_slice(const struct trace_job *job, const struct trace_event *open,
		      const struct timeline_span *span, uint64_t next_ns)
{
	struct trace_event end = {.phase = TRACE_END, .track = open->track};
	uint64_t drawn = next_ns ? next_ns : span->finished_by_ns;
	if (!drawn)
		drawn = open->time_ns + TRACE_DRAWN_NS;
	if (span->finished_by_ns && drawn > span->finished_by_ns)
		drawn = span->finished_by_ns;
	end.time_ns = drawn > open->time_ns ? drawn : open->time_ns;
	job->sink.add_event(job->sink.state, &end);
}

static bool is_same_track(struct trace_track one, struct trace_track other)
{
	return one.kind == other.kind && one.number == other.number;
}

/* Return when the next slice on the same track is drawn to start; 0 if this is the last. */
static uint64_t next_begin(const struct trace_job *job, size_t place)
{
	const struct timeline *timeline = job->timeline;
	const size_t *order = job->times->order;
	struct trace_track own = track_of(job, &timeline->works[order[place]]);
	if (place + 1 == timeline->n_works ||
	    !is_same_track(own, track_of(job, &timeline->works[order[place + 1]])))
		return 0;
	return job->times->spans[order[place + 1]].started_after_ns;
}

static void add_work(const struct lanes *lanes, size_t place)
{
	const struct trace_job *job = lanes->job;
	const struct timeline_work *work = &job->timeline->works[job->times->order[place]];
	const struct timeline_span *span = &job->times->spans[job->times->order[place]];
	char name[TRACE_TEXT_SIZE];
	struct text name_text = text_in(name, sizeof(name));
	char shape[TRACE_TEXT_SIZE];
	struct text shape_text = text_in(shape, sizeof(shape));
	struct trace_event event = {.phase = TRACE_BEGIN, .track = track_of(job, work)};
	describe(lanes, work, span, &name_text, &shape_text, &event);
	if (*shape)
		trace_event_note(&event, "launch", shape);
	event.name = name;
	event.category = category_of(job, work, span);
	event.time_ns = span->started_after_ns;
	if (event.track.kind == TRACE_STREAM_WAITING || event.track.kind == TRACE_UNPLACED) {
		event.phase = TRACE_INSTANT;
		event.time_ns = work->time_ns;
	}
	job->sink.add_event(job->sink.state, &event);
	if (event.phase == TRACE_BEGIN && work->state == TIMELINE_FINISHED)
		end_slice(job, &event, span, next_begin(job, place));
}

static void name_track(const struct trace_job *job, struct trace_track track)
{
	const struct report *report = &job->analysis->report;
	char name[TRACE_TEXT_SIZE];
	struct text text = text_in(name, sizeof(name));
	if (track.kind == TRACE_UNPLACED) {
		text_add(&text, "GPU: unknown order");
	} else {
		report_device_label(report, track.number, &text);
		text_add(&text, ", ");
		if (track.kind == TRACE_STREAM_EARLIER)
			text_add(&text, "streams before ");
		report_stream_label(report, track.number, &text);
		if (track.kind == TRACE_STREAM_WAITING)
			text_add(&text, ", not started");
	}
	job->sink.add_track(job->sink.state, &track, name);
}

static int compare_tracks(const void *a, const void *b)
{
	const struct trace_track *left = a;
	const struct trace_track *right = b;
	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return left->kind < right->kind ? -1 : left->kind > right->kind;
}

/* Name each track once, with the tracks of one stream next to each other. */
static int name_tracks(const struct trace_job *job)
{
	const struct timeline *timeline = job->timeline;
	struct trace_track *tracks = calloc(timeline->n_works + 1, sizeof(tracks[0]));
	if (!tracks)
		return -ENOMEM;
	for (size_t index = 0; index < timeline->n_works; index++)
		tracks[index] = track_of(job, &timeline->works[index]);
	qsort(tracks, timeline->n_works, sizeof(tracks[0]), compare_tracks);
	for (size_t index = 0; index < timeline->n_works; index++)
		if (!index || compare_tracks(&tracks[index - 1], &tracks[index]))
			name_track(job, tracks[index]);
	free(tracks);
	return 0;
}

int trace_gpu(const struct trace_job *job)
{
	struct lanes lanes = {.job = job};
	int result = name_tracks(job);
	if (!result)
		result = find_arrows(&lanes);
	for (size_t place = 0; !result && place < job->timeline->n_works; place++)
		add_work(&lanes, place);
	free(lanes.arrows);
	return result;
}

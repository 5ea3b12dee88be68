/*
 * trace_counters.c - count the depth of each stream's queue: submissions raise it, syncs that
 * returned lower it. Ordinals are consecutive, so counting can start in the middle of a stream.
 */
#include "trace/trace_parts.h"

#include "base/text.h"
#include "report/report_labels.h"

/* One stream's counter while its submissions and syncs are merged by time. */
struct counter {
	const struct trace_job *job;
	uint32_t stream;
	uint64_t submitted, finished; /* ordinals */
	uint64_t time_ns;
	size_t sync; /* index of the next sync */
	char name[TRACE_TEXT_SIZE];
};

static void emit(const struct counter *counter)
{
	struct trace_event event = {
		.phase = TRACE_COUNTER,
		.track = {TRACE_QUEUE, counter->stream},
		.time_ns = counter->time_ns,
		.name = counter->name,
		.value = counter->submitted > counter->finished
				 ? (int64_t)(counter->submitted - counter->finished)
				 : 0,
	};
	counter->job->sink.add_event(counter->job->sink.state, &event);
}

/* Count the stream's syncs up to and including `until_ns`. */
static void take_syncs(struct counter *counter, uint64_t until_ns)
{
	const struct timeline_syncs *syncs = &counter->job->times->syncs;
	for (; counter->sync < syncs->n; counter->sync++) {
		const struct timeline_sync *sync = &syncs->rows[counter->sync];
		if (sync->stream != counter->stream || sync->time_ns > until_ns)
			return;
		counter->finished = sync->ordinal;
		counter->time_ns = sync->time_ns;
		emit(counter);
	}
}

static void name_track(struct counter *counter)
{
	const struct trace_job *job = counter->job;
	struct trace_track track = {TRACE_QUEUE, counter->stream};
	struct text text = text_in(counter->name, sizeof(counter->name));
	text_add(&text, "not known to be finished on ");
	report_stream_label(&job->analysis->report, counter->stream, &text);
	job->sink.add_track(job->sink.state, &track, counter->name);
}

static void begin(struct counter *counter, uint32_t stream, uint64_t ordinal)
{
	counter->stream = stream;
	counter->submitted = counter->finished = ordinal - 1;
	counter->time_ns = 0;
	counter->sync = timeline_syncs_find(&counter->job->times->syncs, stream, ordinal);
	name_track(counter);
}

void trace_counters(const struct trace_job *job)
{
	const struct timeline *timeline = job->timeline;
	struct counter counter = {.job = job};
	for (size_t place = 0; place < timeline->n_works; place++) {
		size_t index = job->times->order[place];
		const struct timeline_work *work = &timeline->works[index];
		uint32_t stream = timeline->lanes[work->lane].stream;
		if (!stream || !work->ordinal || work->state == TIMELINE_REJECTED)
			continue;
		if (stream != counter.stream) {
			if (counter.stream)
				take_syncs(&counter, UINT64_MAX);
			begin(&counter, stream, work->ordinal);
		}
		take_syncs(&counter, work->time_ns);
		counter.submitted = work->ordinal;
		if (work->time_ns > counter.time_ns)
			counter.time_ns = work->time_ns;
		emit(&counter);
	}
	if (counter.stream)
		take_syncs(&counter, UINT64_MAX);
}

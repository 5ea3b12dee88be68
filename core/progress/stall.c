/*
 * stall.c - find what keeps each stream, from the progress of all.
 */
#include "progress/stall.h"

#include <errno.h>
#include <string.h>

#include "progress/counters_order.h"
#include "progress/progress_parts.h"
#include "progress/unordered.h"

static const struct moment live_moment = {.sequence = UINT64_MAX, .time_ns = UINT64_MAX};

static struct moment moment_of(const struct reading_time *read)
{
	struct moment moment = live_moment;
	moment.counters_ns = read->is_past ? read->ns : 0;
	return moment;
}

const char *stall_label(enum stall_kind kind)
{
	static const char *const words[N_STALL_KINDS] = {
		[STALL_RUNS] = "runs",     [STALL_MAY_RUN] = "may_run",    [STALL_EVENT] = "event",
		[STALL_LEGACY] = "legacy", [STALL_FUNCTION] = "host_func", [STALL_VALUE] = "value",
		[STALL_QUEUE] = "queue",
	};
	return words[kind];
}

size_t stalls_scratch(const struct bundle_view *view)
{
	return progress_read_scratch(view, &live_moment);
}

static int read_progress(const struct bundle_view *view, const struct moment *moment,
			 bool with_words, void *scratch, size_t size, struct progress *out)
{
	int error = progress_read(view, moment, with_words, scratch, size, out);
	if (error || out->is_contradictory)
		return error ? error : -EBADMSG;
	counters_apply(out);
	limits_raise_done(out);
	limits_find(out, LEVEL_STRICT);
	counters_check_limits(out);
	return 0;
}

/* Use the driver's counters. If they contradict something, read again as if there were none. */
static int find_progress(const struct bundle_view *view, const struct moment *moment, void *scratch,
			 size_t size, struct progress *out)
{
	enum counters_state state = driver_counters_state(view, moment);
	enum counters_trouble trouble =
		state == COUNTERS_REFUSED ? COUNTERS_NOT_TRUSTED : COUNTERS_NO_TROUBLE;
	int error = read_progress(view, moment, state == COUNTERS_USABLE, scratch, size, out);
	if (!error && out->trouble != COUNTERS_NO_TROUBLE) {
		trouble = out->trouble;
		error = read_progress(view, moment, false, scratch, size, out);
	}
	out->trouble = trouble;
	return error;
}

static bool is_value_wait(const struct bundle_view *view, const struct journal_record *record)
{
	static const char prefix[] = "cuStreamWaitValue";
	return !strncmp(view_string(view, record->call, NULL), prefix, strlen(prefix));
}

/* Return an unfinished event or barrier that the stream's work from `ordinal` on waits for. */
static const struct order_edge *find_edge(const struct progress *progress, uint32_t stream,
					  uint64_t ordinal)
{
	for (uint32_t i = 0; i < progress->n_edges; i++) {
		const struct order_edge *edge = &progress->edges[i];
		const struct stream_progress *source = progress_stream(progress, edge->source);
		if (edge->waiter == stream && edge->waiter_ordinal < ordinal && source &&
		    source->done < edge->source_ordinal)
			return edge;
	}
	return NULL;
}

static const struct open_work *find_open(const struct progress *progress, uint32_t stream,
					 uint64_t ordinal)
{
	const struct stream_progress *row = &progress->streams[stream];
	for (uint32_t i = 0; i < row->n_open; i++) {
		const struct open_work *open = &progress->open[row->first_open + i];
		if (open->ordinal == ordinal)
			return open;
	}
	return NULL;
}

/* Return the work that holds the queue in which `front` waits: the last that its counter shows. */
static const struct open_work *find_holder(const struct progress *progress,
					   const struct open_work *front)
{
	const struct channel_row *channel = view_channel(progress->view, front->channel);
	for (uint32_t i = 0; channel && i < progress->n_open; i++) {
		const struct open_work *open = &progress->open[i];
		if (open->channel == front->channel && open->payload == channel->started &&
		    progress_is_open(progress, open))
			return open;
	}
	return NULL;
}

static void set_source(const struct progress *progress, struct stall *out, uint32_t stream,
		       uint64_t ordinal)
{
	const struct open_work *source = find_open(progress, stream, ordinal);
	out->source = stream;
	out->source_sequence = source ? source->sequence : 0;
}

/*
 * True if `next` would have started once the front had finished: since it has not, the front is
 * unfinished. False if `next` also waits for an event, or for a queue that another stream holds.
 */
static bool is_next_kept(const struct progress *progress, const struct open_work *next)
{
	if (!next || next->said != COUNTERS_WAITING || next->work != WORK_KERNEL ||
	    find_edge(progress, next->stream, next->ordinal))
		return false;
	const struct open_work *holder = find_holder(progress, next);
	return !holder || holder->stream == next->stream;
}

static void judge(const struct progress *progress, const struct open_work *front,
		  const struct open_work *next, struct stall *out)
{
	const struct order_edge *edge = find_edge(progress, front->stream, front->ordinal);
	bool has_started = driver_counters_show_started(front->said);
	bool is_kept = is_next_kept(progress, next);
	out->is_proven = front->said == COUNTERS_RUNNING || (has_started && is_kept);
	if (is_value_wait(progress->view, &out->front) && !edge) {
		out->kind = STALL_VALUE;
		out->is_proven = is_kept;
	} else if (has_started) {
		out->kind = STALL_RUNS;
	} else if (edge) {
		out->kind = edge->is_legacy ? STALL_LEGACY : STALL_EVENT;
		out->is_proven = true;
		set_source(progress, out, edge->source, edge->source_ordinal);
	} else if (front->work == WORK_HOST_FUNC) {
		out->kind = STALL_FUNCTION;
		out->is_proven = is_kept;
	} else if (front->said == COUNTERS_WAITING) {
		const struct open_work *holder = find_holder(progress, front);
		out->kind = STALL_QUEUE;
		out->is_proven = holder;
		if (holder)
			set_source(progress, out, holder->stream, holder->ordinal);
	} else {
		out->kind = STALL_MAY_RUN;
	}
}

/* The channel's start time belongs to the payload that its counter shows. */
static void note_begin(const struct progress *progress, const struct open_work *front,
		       struct stall *out)
{
	const struct channel_row *channel = view_channel(progress->view, front->channel);
	out->has_started_ns = progress->has_counters && channel && channel->started_gpu_ns &&
			      driver_counters_show_started(front->said) &&
			      channel->started == front->payload;
	out->started_gpu_ns = out->has_started_ns ? channel->started_gpu_ns : 0;
}

static bool fill_row(const struct progress *progress, uint32_t id, struct stall *out)
{
	const struct stream_progress *stream = progress_stream(progress, id);
	const struct open_work *front = NULL;
	const struct open_work *next = NULL;
	uint64_t n_open = 0;
	*out = (struct stall){.stream = id, .done_sequence = stream->done_sequence};
	for (uint32_t i = 0; i < stream->n_open; i++) {
		const struct open_work *open = &progress->open[stream->first_open + i];
		if (!progress_is_open(progress, open))
			continue;
		if (n_open++ == 0)
			front = open;
		else if (n_open == 2)
			next = open;
		out->newest_sequence = open->sequence;
	}
	if (!front || !view_record(progress->view, front->slot, front->position, &out->front))
		return false;
	out->n_behind = n_open - 1;
	note_begin(progress, front, out);
	judge(progress, front, next, out);
	return true;
}

/* Started work started after its call and before now, which bounds the clocks' offset. */
static void bound_offset(const struct progress *progress, uint64_t now_ns, struct stalls *out)
{
	out->offset_low = INT64_MIN;
	out->offset_high = INT64_MAX;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		const struct open_work *open = &progress->open[i];
		const struct channel_row *channel = view_channel(progress->view, open->channel);
		struct journal_record record;
		/* In a live process the channel's row may have another use by now. */
		if (!driver_counters_show_started(open->said) || !channel ||
		    !channel->started_gpu_ns || channel->started != open->payload ||
		    !view_record(progress->view, open->slot, open->position, &record))
			continue;
		int64_t low = (int64_t)(record.time_ns - channel->started_gpu_ns);
		int64_t high = (int64_t)(now_ns - channel->started_gpu_ns);
		out->offset_low = low > out->offset_low ? low : out->offset_low;
		out->offset_high = high < out->offset_high ? high : out->offset_high;
		out->has_offset = true;
	}
	/* Else the clocks drift apart, or counters are older than they look. */
	out->has_offset = out->has_offset && out->offset_low <= out->offset_high;
}

int stalls_find(const struct bundle_view *view, const struct reading_time *read, void *scratch,
		size_t scratch_size, struct stalls *out)
{
	struct moment moment = moment_of(read);
	struct progress progress;
	int error = find_progress(view, &moment, scratch, scratch_size, &progress);
	memset(out, 0, sizeof(*out));
	if (error)
		return error;
	out->has_counters = progress.has_counters;
	out->trouble = progress.trouble;
	out->n_unplaced = unordered_count(&progress);
	struct stall row;
	for (uint32_t id = 1; id <= progress.n_streams; id++) {
		if (!fill_row(&progress, id, &row))
			continue;
		if (out->n < STALLS_MAX)
			out->rows[out->n++] = row;
		else
			out->n_unlisted++;
	}
	bound_offset(&progress, read->ns, out);
	return 0;
}

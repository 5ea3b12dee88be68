/*
 * counters_order.c - turn counters of single submissions into proofs about others, by the order of
 * their stream, and find counters that cannot be right.
 */
#include "progress/counters_order.h"

static void set_trouble(struct progress *progress, enum counters_trouble trouble)
{
	if (progress->trouble == COUNTERS_NO_TROUBLE)
		progress->trouble = trouble;
}

void counters_check_done(struct progress *progress, const struct journal_record *record)
{
	enum counters_say said =
		driver_counters_of(progress->view, &progress->moment, &progress->trust, record);
	if (said == COUNTERS_WAITING || said == COUNTERS_RUNNING)
		set_trouble(progress, COUNTERS_AGAINST_DONE);
	else if (said == COUNTERS_LIE)
		set_trouble(progress, COUNTERS_AGAINST_COUNTERS);
}

/*
 * True if it started although work before it waits. Pieces of work other than kernels may wait
 * while a later programmatic launch has started.
 */
static bool has_overtaken(const struct open_work *open, bool is_waiting, bool is_other_waiting)
{
	return driver_counters_show_started(open->said) &&
	       (is_waiting || (is_other_waiting && !(open->flags & RECORD_OVERLAPS)));
}

static bool is_numbered_before(const struct open_work *open, const struct open_work *previous)
{
	return previous && previous->channel == open->channel &&
	       (int32_t)(open->payload - previous->payload) <= 0;
}

/* Check that work starts in the order of its stream, and that a channel's payloads grow in it. */
static void check_order(struct progress *progress, const struct open_work *open, uint32_t n)
{
	const struct open_work *previous = NULL;
	bool is_waiting = false;       /* a kernel waits */
	bool is_other_waiting = false; /* at least the last piece of other work waits */
	for (uint32_t i = 0; i < n; i++) {
		enum counters_say said = open[i].said;
		if (said == COUNTERS_SILENT)
			continue;
		if (said == COUNTERS_LIE)
			set_trouble(progress, COUNTERS_AGAINST_COUNTERS);
		if (has_overtaken(&open[i], is_waiting, is_other_waiting) ||
		    is_numbered_before(&open[i], previous))
			set_trouble(progress, COUNTERS_AGAINST_ORDER);
		if (said == COUNTERS_WAITING)
			*(open[i].work == WORK_KERNEL ? &is_waiting : &is_other_waiting) = true;
		previous = &open[i];
	}
}

/* Return the index of the last work that had started, n if there is none. */
static uint32_t find_last_started(const struct open_work *open, uint32_t n)
{
	for (uint32_t i = n; i > 0; i--) {
		if (driver_counters_show_started(open[i - 1].said))
			return i - 1;
	}
	return n;
}

bool counters_surely_started(const struct progress *progress, enum counters_say said,
			     uint32_t channel, uint32_t payload)
{
	if (said != COUNTERS_STARTED)
		return driver_counters_show_started(said);
	return trusted_channels_are_past(progress->view, &progress->trust, channel, payload);
}

static bool is_surely_started(const struct progress *progress, const struct open_work *open)
{
	return counters_surely_started(progress, open->said, open->channel, open->payload);
}

/* Return the index of the last work that had surely started, n if there is none. */
static uint32_t find_last_sure(const struct progress *progress, const struct open_work *open,
			       uint32_t n)
{
	for (uint32_t i = n; i > 0; i--) {
		if (is_surely_started(progress, &open[i - 1]))
			return i - 1;
	}
	return n;
}

/*
 * Return the index of the last work up to `last` that started only when all before it had finished;
 * n if there is none. Programmatic launches start earlier. It has started, since later work has.
 */
static uint32_t find_head(const struct open_work *open, uint32_t n, uint32_t last)
{
	for (uint32_t i = last + 1; i > 0; i--) {
		if (open[i - 1].is_accepted && !(open[i - 1].flags & RECORD_OVERLAPS))
			return i - 1;
	}
	return n;
}

static void set_done(struct stream_progress *stream, uint64_t ordinal, uint64_t sequence)
{
	if (ordinal <= stream->done)
		return;
	stream->done = ordinal;
	stream->done_sequence = sequence;
	stream->raised_by_counters = ordinal;
}

/* All work before the head is finished, and so is work from there on that says so, up to a gap. */
static void raise_done(struct progress *progress, struct stream_progress *stream, uint32_t head)
{
	const struct open_work *open = &progress->open[stream->first_open];
	for (uint32_t i = 0; open[i].ordinal < open[head].ordinal; i++) {
		if (open[i].denies_end)
			set_trouble(progress, COUNTERS_AGAINST_ORDER);
		if (open[i].flags &
		    RECORD_MARKED_INLINE) /* its marker has not landed, or it would not be open */
			set_trouble(progress, COUNTERS_AGAINST_WAIT);
	}
	set_done(stream, open[head].ordinal - 1,
		 head > 0 && open[head - 1].ordinal == open[head].ordinal - 1
			 ? open[head - 1].sequence
			 : 0);
	stream->head = open[head].ordinal;
	for (uint32_t i = head; i < stream->n_open; i++) {
		if (open[i].said == COUNTERS_FINISHED && open[i].ordinal == stream->done + 1)
			set_done(stream, open[i].ordinal, open[i].sequence);
	}
}

/* Note what the report says about the stream's counters. */
static void note_counters(struct stream_progress *stream, const struct open_work *open)
{
	for (uint32_t i = 0; i < stream->n_open; i++) {
		if (open[i].said == COUNTERS_SILENT)
			continue;
		stream->has_counters = true;
		stream->counters_channel = open[i].channel;
		if (open[i].said == COUNTERS_OVER)
			stream->over_sequence = open[i].sequence;
	}
}

static void apply_heads(struct progress *progress, struct stream_progress *stream, uint32_t last)
{
	const struct open_work *open = &progress->open[stream->first_open];
	uint32_t n = stream->n_open;
	uint32_t sure = find_last_sure(progress, open, n);
	uint32_t head = find_head(open, n, last);
	uint32_t sure_head = sure < n ? find_head(open, n, sure) : n;
	if (head < n)
		stream->passed = open[head].ordinal;
	if (sure_head < n)
		raise_done(progress, stream, sure_head);
}

/*
 * Return the ordinal above which no work has started. A call for other work than a kernel may queue
 * several pieces, and its payload is that of the last one.
 */
static uint64_t find_unbegun(const struct progress *progress, const struct stream_progress *stream)
{
	const struct open_work *open = &progress->open[stream->first_open];
	for (uint32_t i = 0; i < stream->n_open; i++) {
		if (open[i].said == COUNTERS_WAITING && open[i].work == WORK_KERNEL)
			return open[i].ordinal - 1;
	}
	return NO_ORDINAL;
}

static void apply(struct progress *progress, struct stream_progress *stream)
{
	const struct open_work *open = &progress->open[stream->first_open];
	uint32_t n = stream->n_open;
	uint32_t last = find_last_started(open, n);
	check_order(progress, open, n);
	note_counters(stream, open);
	if (last < n) {
		stream->last_started = open[last].ordinal;
		stream->last_started_sequence = open[last].sequence;
		stream->counters_channel = open[last].channel;
		apply_heads(progress, stream, last);
	}
	stream->unstarted_above = find_unbegun(progress, stream);
}

void counters_apply(struct progress *progress)
{
	if (!progress->has_counters)
		return;
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		apply(progress, &progress->streams[id]);
}

/* True if all work before the first kernel that has not started has finished. */
static bool is_next(const struct progress *progress, const struct stream_progress *stream)
{
	const struct open_work *open = &progress->open[stream->first_open];
	for (uint32_t i = 0; i < stream->n_open && open[i].ordinal <= stream->unstarted_above;
	     i++) {
		if (open[i].ordinal > stream->done)
			return false;
	}
	return true;
}

void counters_spare_next(struct progress *progress)
{
	progress->are_next_kept = true;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		struct stream_progress *stream = &progress->streams[id];
		if (stream->unstarted_above != NO_ORDINAL && is_next(progress, stream))
			stream->unstarted_above++;
	}
}

void counters_check_limits(struct progress *progress)
{
	if (!progress->has_counters)
		return;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		const struct open_work *open = &progress->open[i];
		const struct stream_progress *stream = &progress->streams[open->stream];
		bool is_done = open->ordinal <= stream->done;
		/* Lost records may be programmatic launches, too. */
		bool is_sure =
			stream->n_lost + stream->n_late == 0 || !(open->flags & RECORD_OVERLAPS);
		if (is_done && (open->said == COUNTERS_WAITING || open->denies_end))
			set_trouble(progress, COUNTERS_AGAINST_DONE);
		/* Other work proved it finished, but waited for its marker, which is missing. */
		if (is_done && open->said != COUNTERS_FINISHED &&
		    (open->flags & RECORD_MARKED_INLINE))
			set_trouble(progress, COUNTERS_AGAINST_WAIT);
		/* Finished work is never blocked. */
		if (is_sure && driver_counters_show_started(open->said) &&
		    progress_is_blocked(progress, open, LEVEL_STRICT))
			set_trouble(progress, COUNTERS_AGAINST_WAIT);
	}
}

/* True if the counters say more about the stream's progress than all else does. */
static bool is_by_counters_only(const struct stream_progress *stream)
{
	return stream->raised_by_counters > 0 || stream->unstarted_above != NO_ORDINAL ||
	       stream->limits[LEVEL_STRICT].is_wall_of_counters;
}

static bool is_any_by_counters(const struct progress *progress)
{
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		if (is_by_counters_only(&progress->streams[id]))
			return true;
	}
	return false;
}

/* Work that is over is rarely the culprit. The others may have been wrongly cleared as well. */
static bool is_at_work(enum counters_say said)
{
	return driver_counters_show_started(said) && said != COUNTERS_OVER;
}

/* Return the only suspect that is left after the counters cleared others; NULL if there is none. */
static const struct open_work *find_left(const struct progress *progress)
{
	return is_any_by_counters(progress) ? progress_only_suspect(progress) : NULL;
}

bool counters_leave_silent(const struct progress *progress)
{
	const struct open_work *left = find_left(progress);
	return progress->are_next_kept || (left && !is_at_work(left->said));
}

bool counters_show_none_running(const struct progress *progress)
{
	const struct open_work *left = find_left(progress);
	return left && !driver_counters_show_started(left->said);
}

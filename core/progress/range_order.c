/*
 * range_order.c - compare a launch with the calls that made and freed memory.
 */
#include "progress/range_order.h"

#include <string.h>

#include "view/record_walk.h"

enum {
	CLOCK_ERROR_NS = 2000000, /* how far the clocks of two threads may differ */
	MAX_REACHED = 32,
	MAX_WALKS = 8,
};

struct range_moment range_moment_of(const struct journal_record *record)
{
	bool is_ordered = !(record->flags & RECORD_UNORDERED);
	return (struct range_moment){.first = record->sequence,
				     .sequence = record->sequence,
				     .time_ns = record->time_ns,
				     .ordinal = is_ordered ? record->ordinal : 0,
				     .stream = record->stream,
				     .tid = record->tid};
}

void range_moment_add(struct range_moment *moment, const struct journal_record *record)
{
	uint64_t first = moment->first;
	if (record->sequence > moment->sequence)
		*moment = range_moment_of(record);
	moment->first = first != 0 && first < record->sequence ? first : record->sequence;
}

/* A row's time is that of its call's return, a launch's that of its call. */
static bool is_made_later(const struct range_row *row, const struct range_moment *moment)
{
	uint64_t error = row->tid == moment->tid ? 0 : CLOCK_ERROR_NS;
	return row->time_ns > moment->time_ns && row->time_ns - moment->time_ns > error;
}

static bool is_call(const struct bundle_view *view, const struct range_row *row, const char *name)
{
	return strncmp(view_string(view, row->freed_call, NULL), name, strlen(name)) == 0;
}

/*
 * cuMemUnmap waits for no work. cuMemFree does, but not for stream-ordered memory: the Programming
 * Guide says that the driver then assumes that all accesses are complete.
 */
static enum range_then freed_later(const struct bundle_view *view, const struct range_row *row,
				   const struct range_moment *moment)
{
	if (is_call(view, row, "cuMemFreeAsync"))
		return row->freed_stream == 0 || moment->ordinal == 0 ||
				       row->freed_stream == moment->stream
			       ? RANGE_THEN_LIVE
			       : RANGE_THEN_UNCLEAR;
	if (is_call(view, row, "cuMemUnmap") ||
	    (row->kind == RANGE_ORDERED && is_call(view, row, "cuMemFree_v2")))
		return RANGE_THEN_IN_FLIGHT;
	return RANGE_THEN_LIVE;
}

enum range_then range_then(const struct bundle_view *view, const struct range_row *row,
			   const struct range_moment *moment)
{
	bool is_live = row->state == RANGE_LIVE;
	if (!moment || moment->sequence == 0)
		return is_live ? RANGE_THEN_LIVE : RANGE_THEN_FREED;
	if (is_made_later(row, moment))
		return RANGE_THEN_ABSENT;
	/* A graph allocates and frees its memory when it runs. The row has the calls of its
	 * capture. */
	if (is_live || row->kind == RANGE_GRAPH)
		return RANGE_THEN_LIVE;
	if (row->freed_after < moment->first)
		return RANGE_THEN_FREED;
	return moment->first == moment->sequence ? freed_later(view, row, moment) : RANGE_THEN_LIVE;
}

/* --- The way from a launch to a free --- */

/* Streams of which work waits for the launch, with the first ordinal that does. */
struct reached {
	uint32_t n;
	uint32_t streams[MAX_REACHED];
	uint64_t ordinals[MAX_REACHED];
};

static uint32_t find(const struct reached *reached, uint32_t stream)
{
	uint32_t i = 0;
	while (i < reached->n && reached->streams[i] != stream)
		i++;
	return i;
}

/* Returns true if that is new. */
static bool reach(struct reached *reached, uint32_t stream, uint64_t ordinal)
{
	uint32_t i = find(reached, stream);
	if (i == MAX_REACHED || (i < reached->n && reached->ordinals[i] <= ordinal))
		return false;
	reached->n += i == reached->n ? 1 : 0;
	reached->streams[i] = stream;
	reached->ordinals[i] = ordinal;
	return true;
}

/* A stream whose row is lost may be legacy, and may be blocking. */
static bool is_legacy(const struct bundle_view *view, uint32_t id)
{
	const struct stream_row *stream = view_stream(view, id);
	return !stream || stream->kind == STREAM_LEGACY;
}

static bool is_blocking(const struct bundle_view *view, uint32_t id)
{
	const struct stream_row *stream = view_stream(view, id);
	return !stream || !(stream->flags & STREAM_NON_BLOCKING);
}

/*
 * True if work of the stream up to the ordinal may include work that waits for the launch. The
 * legacy stream waits for blocking streams, and they for it.
 */
static bool is_reached(const struct bundle_view *view, const struct reached *reached, uint32_t id,
		       uint64_t ordinal)
{
	uint32_t at = find(reached, id);
	if (at < reached->n)
		return ordinal >= reached->ordinals[at];
	for (at = 0; at < reached->n; at++) {
		uint32_t other = reached->streams[at];
		if ((is_legacy(view, id) && is_blocking(view, other)) ||
		    (is_legacy(view, other) && is_blocking(view, id)))
			return true;
	}
	return false;
}

static bool is_between(const struct journal_record *record, const struct range_row *row,
		       const struct range_moment *moment)
{
	uint64_t error = record->tid == row->freed_tid ? 0 : CLOCK_ERROR_NS;
	return record->sequence >= moment->sequence && record->sequence <= row->freed_after &&
	       record->time_ns <= row->freed_ns + error;
}

/* True for a record that may order any streams. */
static bool is_other_order(const struct journal_record *record)
{
	return (record->kind == RECORD_SUBMISSION && record->work == WORK_MEMOP) ||
	       (record->kind == RECORD_EVENT_WAIT && record->event.source_stream == 0);
}

/*
 * Note what the record orders after the launch. An event that was recorded just after a wait has
 * the wait's ordinal. Legacy work may wait for any earlier work.
 */
static bool follow(const struct bundle_view *view, const struct range_moment *moment,
		   const struct journal_record *record, struct reached *reached)
{
	if (record->kind == RECORD_EVENT_WAIT)
		return is_reached(view, reached, record->event.source_stream,
				  record->event.source_ordinal) &&
		       reach(reached, record->stream, record->ordinal);
	return record->kind == RECORD_SUBMISSION && record->sequence > moment->sequence &&
	       is_legacy(view, record->stream) && reach(reached, record->stream, record->ordinal);
}

/* True if a ring has overwritten records that may be between the launch and the free. */
static bool is_any_lost(const struct bundle_view *view, const struct range_moment *moment)
{
	struct journal_record record;
	for (uint32_t slot = 0; slot < view->n_rings; slot++) {
		if (view_written(view, slot) == 0)
			continue;
		if (!view_record(view, slot, view_oldest(view, slot), &record) ||
		    (record.commit > 1 && record.sequence > moment->sequence))
			return true;
	}
	return false;
}

/* Follow each record once. Returns true if a stream was reached earlier than before. */
static bool follow_all(const struct bundle_view *view, const struct range_row *row,
		       const struct range_moment *moment, struct reached *reached)
{
	bool is_new = false;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (!is_between(record, row, moment))
			continue;
		if (is_other_order(record)) {
			reached->n = MAX_REACHED;
			return false;
		}
		is_new |= follow(view, moment, record, reached);
	}
	return is_new;
}

bool range_is_in_order(const struct bundle_view *view, const struct range_row *row,
		       const struct range_moment *moment)
{
	struct reached reached = {.n = 0};
	if (is_any_lost(view, moment))
		return true;
	(void)reach(&reached, moment->stream, moment->ordinal);
	for (int n_walks = 0; !is_reached(view, &reached, row->freed_stream, UINT64_MAX); n_walks++)
		if (n_walks == MAX_WALKS || !follow_all(view, row, moment, &reached))
			return n_walks == MAX_WALKS || reached.n == MAX_REACHED;
	return true;
}

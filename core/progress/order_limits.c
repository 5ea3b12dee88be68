/*
 * order_limits.c - what the order of work proves. If work has finished, so has the work it waited
 * for. Work after an unlanded marker or an unfinished event has not started. Two fixpoints over the
 * edges between streams find this. Each edge fires at most once, so each visits every edge once.
 */
#include "progress/progress_parts.h"

#include "progress/order_edges.h"
#include "progress/unordered.h"

/* Return the stream's open work of this ordinal, NULL if its record is lost. */
static const struct open_work *find_open(const struct progress *progress,
					 const struct stream_progress *stream, uint64_t ordinal)
{
	const struct open_work *open = &progress->open[stream->first_open];
	uint32_t low = 0;
	uint32_t high = stream->n_open;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (open[middle].ordinal < ordinal)
			low = middle + 1;
		else
			high = middle;
	}
	return low < stream->n_open && open[low].ordinal == ordinal ? &open[low] : NULL;
}

void limits_raise_stream(struct progress *progress, uint32_t id, uint64_t ordinal)
{
	struct stream_progress *stream = &progress->streams[id];
	if (ordinal <= stream->done)
		return;
	const struct open_work *open = find_open(progress, stream, ordinal);
	stream->done = ordinal;
	stream->done_sequence = open ? open->sequence : 0;
	edges_push(progress, id);
}

/* Return the last ordinal that has finished, or has started and so has passed its waits. */
static uint64_t reached_by(const struct stream_progress *stream)
{
	return stream->head > stream->done ? stream->head : stream->done;
}

void limits_raise_done(struct progress *progress)
{
	edges_sort_by_waiter(progress);
	uint32_t id = 0;
	while ((id = edges_pop(progress)) != 0) {
		struct stream_progress *waiter = &progress->streams[id];
		while (waiter->n_edges > 0 &&
		       progress->edges[waiter->first_edge].waiter_ordinal < reached_by(waiter)) {
			const struct order_edge *edge = &progress->edges[waiter->first_edge];
			waiter->first_edge++;
			waiter->n_edges--;
			limits_raise_stream(progress, edge->source, edge->source_ordinal);
		}
	}
	for (id = 1; id <= progress->n_streams; id++) {
		struct stream_progress *stream = &progress->streams[id];
		stream->n_lost = unordered_count_lost(progress, stream, NO_ORDINAL);
		stream->n_late = unordered_count_late(progress, stream, NO_ORDINAL);
	}
	edges_sort_by_source(progress);
}

/* A side marker that has not landed is late if a counter shows that its stream went on. */
static bool is_marked(const struct stream_progress *stream, const struct open_work *open,
		      enum order_level level)
{
	bool has_side = open->flags & RECORD_MARKED_SIDE && open->ordinal >= stream->passed;
	return open->flags & RECORD_MARKED_INLINE || (level != LEVEL_STRICT && has_side);
}

static bool is_said_unfinished(const struct open_work *open)
{
	return open->said == COUNTERS_RUNNING || open->said == COUNTERS_WAITING;
}

/* True if it is surely unfinished, given that it is not known to be finished. */
static bool is_wall(const struct stream_progress *stream, const struct open_work *open,
		    enum order_level level)
{
	return is_marked(stream, open, level) || is_said_unfinished(open);
}

/*
 * A programmatic launch may start beside its predecessor, the next one beside that, and so on. A
 * launch whose record is lost may be programmatic. Work of unknown order may have an ordinal
 * between two launches, but does not keep them apart.
 */
static uint64_t find_overlap_end(const struct stream_progress *stream, const struct open_work *open,
				 uint32_t n, uint64_t wall)
{
	uint64_t end = wall;
	uint64_t last_lost = stream->n_late > 0 ? wall : stream->submitted;
	for (uint32_t i = 0; i < n; i++) {
		if (open[i].flags & RECORD_OVERLAPS)
			end = open[i].ordinal;
		else if (open[i].ordinal > end && stream->n_late == 0) {
			if (last_lost >= open[i].ordinal)
				last_lost = open[i].ordinal - 1;
			break;
		}
	}
	return end > last_lost ? end : last_lost;
}

static const struct stream_limit no_limit = {.wall = NO_ORDINAL,
					     .overlap_end = NO_ORDINAL,
					     .blocked_above = NO_ORDINAL,
					     .unstarted_above = NO_ORDINAL};

void limits_drop(struct progress *progress, uint32_t id)
{
	for (enum order_level level = 0; level < N_ORDER_LEVELS; level++)
		progress->streams[id].limits[level] = no_limit;
}

static void find_wall(const struct progress *progress, struct stream_progress *stream,
		      enum order_level level)
{
	const struct open_work *open = &progress->open[stream->first_open];
	struct stream_limit *limit = &stream->limits[level];
	uint32_t i = 0;
	*limit = no_limit;
	limit->unstarted_above = stream->unstarted_above;
	while (i < stream->n_open &&
	       (open[i].ordinal <= stream->done || !is_wall(stream, &open[i], level)))
		i++;
	if (i == stream->n_open || open[i].ordinal == NO_ORDINAL)
		return;
	limit->wall = open[i].ordinal;
	limit->wall_sequence = open[i].sequence;
	limit->is_wall_said = is_said_unfinished(&open[i]);
	limit->is_wall_of_counters = !is_marked(stream, &open[i], level);
	limit->overlap_end = find_overlap_end(stream, open + i, stream->n_open - i, limit->wall);
}

/* Return the entry for the oldest missing marker of the stream's side stream; NULL if it has none.
 */
static uint64_t *side_head(const struct progress *progress, const struct stream_progress *stream)
{
	if (stream->side == 0 || stream->context > progress->n_contexts)
		return NULL;
	return &progress->side_heads[stream->context * SIDE_SLOTS + stream->side];
}

/* Below the number of any submission: no marker is known to be first. */
#define NOBODY 0

/* True if one of the stream's markers may be missing. */
static bool lacks_marker(const struct stream_progress *stream)
{
	return stream->limits[LEVEL_LIKELY].wall != NO_ORDINAL || stream->followed > stream->done ||
	       stream->n_lost > 0 || stream->n_late > 0;
}

static void find_side_heads(const struct progress *progress)
{
	size_t n_slots = (progress->n_contexts + (size_t)1) * SIDE_SLOTS;
	for (size_t i = 0; i < n_slots; i++)
		progress->side_heads[i] = UINT64_MAX;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		const struct stream_progress *stream = &progress->streams[id];
		uint64_t sequence = stream->limits[LEVEL_LIKELY].wall_sequence;
		uint64_t *head = side_head(progress, stream);
		if (head && lacks_marker(stream))
			*head = *head == UINT64_MAX ? sequence : NOBODY;
	}
}

/*
 * Several streams may share one side stream, which writes their markers in turn. A marker that is
 * missing after another stream's missing marker says nothing about its own stream. Their order is
 * not known: two threads may reach the side stream in another order than their submissions'
 * numbers, and some markers have no record.
 */
static void distrust_queued_markers(const struct progress *progress)
{
	find_side_heads(progress);
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		struct stream_progress *stream = &progress->streams[id];
		struct stream_limit *limit = &stream->limits[LEVEL_LIKELY];
		const uint64_t *head = side_head(progress, stream);
		/* An inline marker holds as it does at the strict level. */
		if (head && limit->wall_sequence > *head)
			*limit = stream->limits[LEVEL_STRICT];
	}
}

/* True if an event that stands for work up to `ordinal` has not happened. */
static bool is_unreached(const struct stream_limit *limit, uint64_t ordinal)
{
	return ordinal >= limit->wall || ordinal > limit->blocked_above;
}

static void block_above(struct progress *progress, const struct order_edge *edge,
			enum order_level level)
{
	struct stream_limit *limit = &progress->streams[edge->waiter].limits[level];
	if (edge->waiter_ordinal >= limit->blocked_above)
		return;
	limit->blocked_above = edge->waiter_ordinal;
	limit->is_blocked_by_legacy = edge->is_legacy;
	edges_push(progress, edge->waiter);
}

void limits_find(struct progress *progress, enum order_level level)
{
	uint32_t id = 0;
	for (id = 1; id <= progress->n_streams; id++)
		find_wall(progress, &progress->streams[id], level);
	if (level == LEVEL_LIKELY)
		distrust_queued_markers(progress);
	edges_restart(progress);
	while ((id = edges_pop(progress)) != 0) {
		struct stream_progress *source = &progress->streams[id];
		/* Go from the newest event down, since the limit can only fall. */
		while (source->n_edges > 0) {
			const struct order_edge *edge =
				&progress->edges[source->first_edge + source->n_edges - 1];
			if (!is_unreached(&source->limits[level], edge->source_ordinal))
				break;
			source->n_edges--;
			block_above(progress, edge, level);
		}
	}
}

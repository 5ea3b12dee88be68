/*
 * order_edges.c - collect and sort the edges between streams. Leaving out an edge is always safe:
 * it only proves that work is finished or cannot have started, and so only clears suspects.
 */
#include "progress/order_edges.h"

#include "view/row_sort.h"

static void add_edge(struct progress *progress, const struct order_edge *edge)
{
	const struct stream_progress *source = &progress->streams[edge->source];
	/* A finished source proves nothing new. An ordinal never submitted cannot be trusted. */
	if (edge->waiter == edge->source || edge->source_ordinal <= source->done ||
	    edge->source_ordinal > source->submitted || progress->n_edges == progress->max_edges)
		return;
	progress->other_edges[progress->n_edges++] = *edge;
}

void edges_add_wait(struct progress *progress, const struct journal_record *record)
{
	const struct stream_progress *waiter = progress_stream(progress, record->stream);
	/* A wait whose call failed or has not returned may not be in the stream. */
	if (record->result != 0 || (record->flags & RECORD_UNORDERED) || !waiter ||
	    !progress_stream(progress, record->event.source_stream))
		return;
	/* In a reused row, the wait may be the last thing that the earlier stream was given. */
	if (waiter->before != 0 && record->ordinal <= waiter->before)
		return;
	add_edge(progress, &(struct order_edge){.waiter = record->stream,
						.waiter_ordinal = record->ordinal,
						.source = record->event.source_stream,
						.source_ordinal = record->event.source_ordinal});
}

static struct barrier_state *current_barrier(struct stream_progress *stream, uint32_t run)
{
	if (stream->barrier.run != run)
		stream->barrier = (struct barrier_state){.run = run};
	return &stream->barrier;
}

/* Legacy work waits for what the thread gave blocking streams since its last legacy work. */
static void add_legacy_waits(struct progress *progress, const struct journal_record *record,
			     uint32_t run)
{
	struct barrier_state *legacy =
		current_barrier(progress_stream(progress, record->stream), run);
	while (legacy->first_dirty != 0) {
		uint32_t id = legacy->first_dirty;
		struct barrier_state *dirty = &progress->streams[id].barrier;
		legacy->first_dirty = dirty->next_dirty;
		dirty->is_dirty = false;
		add_edge(progress, &(struct order_edge){.waiter = record->stream,
							.waiter_ordinal = record->ordinal - 1,
							.source = id,
							.source_ordinal = dirty->newest,
							.is_legacy = true});
	}
	legacy->newest = record->ordinal;
}

/* Work on a blocking stream waits for the newest legacy work of the thread. */
static void add_wait_for_legacy(struct progress *progress, const struct journal_record *record,
				uint32_t legacy_id, uint32_t run)
{
	struct barrier_state *legacy = current_barrier(&progress->streams[legacy_id], run);
	struct barrier_state *waiter =
		current_barrier(progress_stream(progress, record->stream), run);
	if (legacy->newest > waiter->legacy_seen) {
		add_edge(progress, &(struct order_edge){.waiter = record->stream,
							.waiter_ordinal = record->ordinal - 1,
							.source = legacy_id,
							.source_ordinal = legacy->newest,
							.is_legacy = true});
		waiter->legacy_seen = legacy->newest;
	}
	waiter->newest = record->ordinal;
	if (!waiter->is_dirty) {
		waiter->is_dirty = true;
		waiter->next_dirty = legacy->first_dirty;
		legacy->first_dirty = record->stream;
	}
}

void edges_add_barrier(struct progress *progress, const struct journal_record *record, uint32_t run)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	uint32_t legacy_id = stream->context <= progress->n_contexts
				     ? progress->legacy_streams[stream->context]
				     : 0;
	if (legacy_id == record->stream)
		add_legacy_waits(progress, record, run);
	else if (stream->is_blocking && legacy_id != 0)
		add_wait_for_legacy(progress, record, legacy_id, run);
}

static void sort_edges(struct progress *progress, size_t group, size_t key)
{
	const struct row_shape shape = {sizeof(struct order_edge), group, key};
	row_sort(&shape, progress->other_edges, progress->n_edges, progress->edges,
		 progress->n_streams + 1, progress->starts);
	edges_restart(progress);
}

static void swap_edges(struct progress *progress)
{
	struct order_edge *edges = progress->edges;
	progress->edges = progress->other_edges;
	progress->other_edges = edges;
}

void edges_sort_by_waiter(struct progress *progress)
{
	sort_edges(progress, offsetof(struct order_edge, waiter),
		   offsetof(struct order_edge, waiter_ordinal));
}

void edges_sort_by_source(struct progress *progress)
{
	swap_edges(progress);
	sort_edges(progress, offsetof(struct order_edge, source),
		   offsetof(struct order_edge, source_ordinal));
}

void edges_restart(struct progress *progress)
{
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		struct stream_progress *stream = &progress->streams[id];
		stream->first_edge = progress->starts[id];
		stream->n_edges = progress->starts[id + 1] - progress->starts[id];
		if (stream->n_edges > 0)
			edges_push(progress, id);
	}
}

void edges_push(struct progress *progress, uint32_t stream)
{
	struct stream_progress *queued = &progress->streams[stream];
	if (queued->is_queued)
		return;
	queued->is_queued = true;
	queued->next_queued = progress->first_queued;
	progress->first_queued = stream;
}

uint32_t edges_pop(struct progress *progress)
{
	uint32_t stream = progress->first_queued;
	if (stream != 0) {
		progress->first_queued = progress->streams[stream].next_queued;
		progress->streams[stream].is_queued = false;
	}
	return stream;
}

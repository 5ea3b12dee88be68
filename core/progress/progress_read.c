/*
 * progress_read.c - read the journal into per-stream progress and lists of unfinished work.
 * order_limits.c decides what cannot have started.
 */
#include "progress/progress_parts.h"

#include <errno.h>
#include <string.h>

#include "progress/counters_order.h"
#include "progress/order_edges.h"
#include "progress/stream_counts.h"
#include "progress/unordered.h"
#include "view/record_walk.h"
#include "view/row_sort.h"

/* Room for rows that other threads add between progress_read_scratch() and progress_read(). */
enum { SLACK_ROWS = 1024 };

/* Ids and indexes have 32 bits. */
#define MAX_ROWS ((uint64_t)UINT32_MAX / 4)

struct counts {
	uint64_t n_streams;
	uint64_t n_contexts;
	uint64_t n_open;
	uint64_t n_unordered;
	uint64_t n_edges;
};

static bool is_ordered(const struct journal_record *record)
{
	return record->ordinal != 0 && !(record->flags & RECORD_UNORDERED);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t read_done(const struct stream_row *row, const struct moment *moment)
{
	return larger(view_live(&row->before),
		      larger(stream_counts_at(row, moment).synced, view_live(&row->marked)));
}

static void count_record(const struct bundle_view *view, const struct moment *moment,
			 const struct journal_record *record, struct counts *counts)
{
	const struct stream_row *stream = view_stream(view, record->stream);
	if (record->kind == RECORD_EVENT_WAIT)
		counts->n_edges++;
	else if (record->kind == RECORD_SUBMISSION && record->flags & RECORD_UNORDERED)
		counts->n_unordered++;
	else if (record->kind == RECORD_SUBMISSION && stream &&
		 record->ordinal > read_done(stream, moment) &&
		 progress_may_be_queued(view, moment, record))
		counts->n_open++;
}

/* Count the rows that this view needs in each array. */
static struct counts count_rows(const struct bundle_view *view, const struct moment *moment)
{
	struct counts counts = {.n_streams = view->tables[JOURNAL_STREAMS].n_rows,
				.n_contexts = view->tables[JOURNAL_CONTEXTS].n_rows};
	if (counts.n_streams > MAX_ROWS)
		counts.n_streams = MAX_ROWS;
	if (counts.n_contexts > MAX_ROWS)
		counts.n_contexts = MAX_ROWS;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		count_record(view, moment, &walk.record, &counts);
	return counts;
}

/* Return the bytes for these counts and `slack` more rows of work, with at most two edges each. */
static size_t scratch_for(const struct counts *counts, uint64_t slack)
{
	uint64_t n_open = counts->n_open + slack;
	uint64_t n_unordered = counts->n_unordered + slack;
	uint64_t n_edges = counts->n_edges + 2 * n_open;
	return (size_t)((counts->n_streams + 1) * sizeof(struct stream_progress) +
			(2 * n_open + MAX_LATE_KEPT) * sizeof(struct open_work) +
			n_unordered * sizeof(struct unordered_work) +
			2 * n_edges * sizeof(struct order_edge) +
			(counts->n_contexts + 1) * SIDE_SLOTS * sizeof(uint64_t) +
			(counts->n_streams + counts->n_contexts + 4) * sizeof(uint32_t));
}

size_t progress_read_scratch(const struct bundle_view *view, const struct moment *moment)
{
	struct counts counts = count_rows(view, moment);
	return scratch_for(&counts, SLACK_ROWS);
}

static void *take(unsigned char **at, uint64_t n, size_t size)
{
	void *taken = *at;
	*at += n * size;
	return taken;
}

/* Divide the scratch. Arrays of 64-bit rows come first, so that all are aligned. */
static int lay_out(struct progress *progress, unsigned char *scratch, size_t size)
{
	struct counts counts = count_rows(progress->view, &progress->moment);
	uint64_t slack = scratch_for(&counts, SLACK_ROWS) <= size ? SLACK_ROWS : 0;
	uint64_t n_open = counts.n_open + slack;
	uint64_t n_unordered = counts.n_unordered + slack;
	uint64_t n_edges = counts.n_edges + 2 * n_open;
	if (scratch_for(&counts, slack) > size || (uintptr_t)scratch % sizeof(uint64_t) != 0)
		return -ENOMEM;
	if (n_open > MAX_ROWS || n_unordered > MAX_ROWS || n_edges > MAX_ROWS)
		return -ENOMEM;
	progress->n_streams = (uint32_t)counts.n_streams;
	progress->n_contexts = (uint32_t)counts.n_contexts;
	progress->max_open = (uint32_t)n_open;
	progress->max_unordered = (uint32_t)n_unordered;
	progress->max_edges = (uint32_t)n_edges;
	progress->streams = take(&scratch, counts.n_streams + 1, sizeof(*progress->streams));
	progress->open = take(&scratch, n_open, sizeof(*progress->open));
	progress->open_unsorted = take(&scratch, n_open, sizeof(*progress->open));
	progress->late = take(&scratch, MAX_LATE_KEPT, sizeof(*progress->late));
	progress->unordered = take(&scratch, n_unordered, sizeof(*progress->unordered));
	progress->edges = take(&scratch, n_edges, sizeof(*progress->edges));
	progress->other_edges = take(&scratch, n_edges, sizeof(*progress->edges));
	progress->side_heads =
		take(&scratch, (counts.n_contexts + 1) * SIDE_SLOTS, sizeof(uint64_t));
	progress->starts = take(&scratch, counts.n_streams + 2, sizeof(uint32_t));
	progress->legacy_streams = take(&scratch, counts.n_contexts + 1, sizeof(uint32_t));
	return 0;
}

static void read_stream(struct progress *progress, uint32_t id)
{
	const struct stream_row *row = view_stream(progress->view, id);
	struct stream_progress *stream = &progress->streams[id];

	/* Read progress first: `submitted` was raised before the work it counts could finish. */
	uint64_t before = view_live(&row->before);
	uint64_t marked = view_live(&row->marked);
	struct stream_counts counts = stream_counts_at(row, &progress->moment);
	*stream = (struct stream_progress){
		.before = before,
		.submitted = counts.submitted,
		.synced = counts.synced,
		.synced_by = counts.synced_by,
		.marked = marked,
		.followed = view_live(&row->followed),
		.context = row->context,
		.side = row->side < MAX_SIDES ? row->side : MAX_SIDES,
		.unstarted_above = NO_ORDINAL,
		.is_legacy = row->kind == STREAM_LEGACY,
		.is_unordered = __atomic_load_n(&row->flags, __ATOMIC_RELAXED) & STREAM_UNORDERED,
		.is_blocking = row->kind != STREAM_LEGACY && !(row->flags & STREAM_NON_BLOCKING),
	};
	stream->done = larger(stream->before, larger(stream->synced, stream->marked));
	/* `done` may be one ahead, by the marker of a call that has not returned yet. */
	if (stream->done > stream->submitted && stream->done - stream->submitted > 1)
		progress->is_contradictory = true;
	if (stream->submitted < stream->done)
		stream->submitted = stream->done;
	if (stream->is_legacy && stream->context <= progress->n_contexts)
		progress->legacy_streams[stream->context] = id;
}

static void read_streams(struct progress *progress)
{
	memset(progress->legacy_streams, 0,
	       (progress->n_contexts + (size_t)1) * sizeof(*progress->legacy_streams));
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		read_stream(progress, id);
}

/* Counters say nothing about work that was submitted after they were read. */
static bool is_after_counters(const struct moment *moment, const struct journal_record *record)
{
	return moment->counters_ns && record->time_ns >= moment->counters_ns;
}

static void add_open(struct progress *progress, uint32_t slot, uint64_t position,
		     const struct journal_record *record)
{
	if (progress->n_open == progress->max_open) {
		progress->n_unplaced++;
		return;
	}
	/* A call that has not returned may still be writing its numbers. */
	bool has_counters = progress->has_counters && record->result == 0 &&
			    !is_after_counters(&progress->moment, record);
	progress->open_unsorted[progress->n_open++] = (struct open_work){
		.ordinal = record->ordinal,
		.sequence = record->sequence,
		.position = position,
		.stream = record->stream,
		.slot = slot,
		.channel = record->progress.channel,
		.payload = record->progress.payload,
		.flags = record->flags,
		.work = record->work,
		.said = (uint8_t)(has_counters
					  ? driver_counters_of(progress->view, &progress->moment,
							       &progress->trust, record)
					  : COUNTERS_SILENT),
		.denies_end = has_counters && driver_counters_deny_finish(progress->view, record),
		.is_accepted = record->result == 0,
		.has_failed = progress_has_error(record)};
}

/* Note what a record at the end of the finished work says about it. */
static void note_done(struct stream_progress *stream, const struct journal_record *record)
{
	if (record->ordinal == stream->done)
		stream->done_sequence = record->sequence;
	if (record->ordinal == stream->marked)
		stream->is_marked_inline = record->flags & RECORD_MARKED_INLINE;
}

static void take_unordered(struct progress *progress, uint32_t slot, uint64_t position,
			   const struct stream_progress *stream,
			   const struct journal_record *record)
{
	/* Its order is unknown, but it is over, since work submitted after its call is finished. */
	if (stream && record->ordinal != 0 && record->ordinal <= stream->done)
		return;
	if (stream && record->flags & RECORD_UNORDERED)
		unordered_add(progress, slot, position, record);
	else
		unordered_add_unplaced(progress, record);
}

static void take_submission(struct progress *progress, uint32_t slot, uint64_t position,
			    uint32_t run, const struct journal_record *record)
{
	struct stream_progress *stream = progress_stream(progress, record->stream);
	if (!progress_may_be_queued(progress->view, &progress->moment, record))
		return;
	if (!stream || !is_ordered(record)) {
		take_unordered(progress, slot, position, stream, record);
		return;
	}
	if (record->ordinal > stream->before)
		edges_add_barrier(progress, record, run);
	note_done(stream, record);
	if (record->ordinal > stream->done)
		add_open(progress, slot, position, record);
	else if (progress->has_counters && record->result == 0 && !progress->moment.counters_ns)
		counters_check_done(progress, record);
}

static bool is_owed(const struct journal_record *record, uint64_t owed)
{
	return record->kind == RECORD_SUBMISSION && record->sequence == owed;
}

/* Read the oldest row first, so that a thread's submissions come in the order it made them. */
static void read_ring(struct progress *progress, uint32_t slot, uint32_t *run)
{
	uint64_t n_written = view_written(progress->view, slot);
	uint64_t oldest = view_oldest(progress->view, slot);
	uint64_t owed = progress->view->rings[slot].owed;
	uint32_t tid = 0;
	struct journal_record record;
	for (uint64_t i = 0; i < n_written; i++) {
		uint64_t position = oldest + i < n_written ? oldest + i : oldest + i - n_written;
		if (!view_record(progress->view, slot, position, &record))
			continue;
		if (i == 0 || record.tid != tid)
			++*run;
		tid = record.tid;
		if (record.kind == RECORD_EVENT_WAIT)
			edges_add_wait(progress, &record);
		else if (record.kind == RECORD_SUBMISSION)
			take_submission(progress, slot, position, *run, &record);
		owed = is_owed(&record, owed) ? 0 : owed;
	}
	/* The ring has overwritten the oldest owed record. No ordinal counts it, or later ones. */
	if (owed != 0 && owed <= progress->moment.sequence)
		progress->n_unplaced++;
}

static void sort_open(struct progress *progress)
{
	const struct row_shape shape = {sizeof(struct open_work),
					offsetof(struct open_work, stream),
					offsetof(struct open_work, ordinal)};
	row_sort(&shape, progress->open_unsorted, progress->n_open, progress->open,
		 progress->n_streams + 1, progress->starts);
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		progress->streams[id].first_open = progress->starts[id];
		progress->streams[id].n_open = progress->starts[id + 1] - progress->starts[id];
	}
}

/* One counter that is wrong once makes all of them unusable. */
static void read_trust(struct progress *progress)
{
	trusted_channels_find(progress->view, &progress->moment, &progress->trust);
	progress->has_counters = progress->trust.is_any;
	if (progress->trust.is_contradicted)
		progress->trouble = COUNTERS_AGAINST_DONE;
}

int progress_read(const struct bundle_view *view, const struct moment *moment, bool with_words,
		  void *scratch, size_t scratch_size, struct progress *out)
{
	uint32_t run = 0;
	*out = (struct progress){.view = view, .moment = *moment};
	int error = lay_out(out, scratch, scratch_size);
	if (error)
		return error;
	if (with_words)
		read_trust(out);
	read_streams(out);
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		read_ring(out, slot, &run);
	sort_open(out);
	return 0;
}

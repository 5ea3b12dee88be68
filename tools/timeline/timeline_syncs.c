/*
 * timeline_syncs.c - walk each ring from its oldest record to its newest, and collect the syncs.
 */
#include "timeline/timeline_syncs.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The state of a walk along a ring. */
struct walk {
	const struct bundle_view *view;
	struct timeline_syncs *syncs;
	size_t room;
	uint32_t slot;
	bool is_one_context; /* there is one context, so a context sync covers all streams */
	/* Each stream's newest ordinal since the last context sync (0: none), and these streams. */
	uint64_t *newest;
	uint32_t *touched;
	uint32_t n_touched;
	uint64_t n_streams;
	/* The previous submission if its call returned after its work had finished, else stream 0.
	   The next record of the same thread is later than that. */
	struct timeline_sync returned;
	uint32_t returned_tid;
};

static int add_sync(struct walk *walk, struct timeline_sync sync)
{
	struct timeline_syncs *syncs = walk->syncs;
	if (syncs->n == walk->room) {
		size_t room = walk->room ? 2 * walk->room : 256;
		struct timeline_sync *rows = reallocarray(syncs->rows, room, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		syncs->rows = rows;
		walk->room = room;
	}
	syncs->rows[syncs->n++] = sync;
	return 0;
}

static void touch(struct walk *walk, const struct journal_record *record)
{
	uint64_t *newest = &walk->newest[record->stream <= walk->n_streams ? record->stream : 0];
	if (newest == walk->newest || !record->ordinal || record->flags & RECORD_UNORDERED)
		return;
	if (!*newest)
		walk->touched[walk->n_touched++] = record->stream;
	if (record->ordinal > *newest)
		*newest = record->ordinal;
}

/* Count only this ring's submissions: other threads may have submitted while the call waited. */
static int add_context_sync(struct walk *walk, uint64_t time_ns)
{
	int result = 0;
	while (walk->is_one_context && walk->n_touched > 0 && !result) {
		uint32_t stream = walk->touched[--walk->n_touched];
		result = add_sync(walk,
				  (struct timeline_sync){stream, walk->newest[stream], time_ns});
		walk->newest[stream] = 0;
	}
	return result;
}

static void note_submission(struct walk *walk, const struct journal_record *record)
{
	bool is_synchronous = record->flags & RECORD_SYNCHRONOUS && record->result == 0;
	walk->returned =
		(struct timeline_sync){is_synchronous ? record->stream : 0, record->ordinal, 0};
	walk->returned_tid = record->tid;
	if (record->result <= 0)
		touch(walk, record);
}

static int add_record(struct walk *walk, const struct journal_record *record)
{
	struct timeline_sync returned = walk->returned;
	int result = 0;
	walk->returned.stream = 0;
	returned.time_ns = record->time_ns;
	if (returned.stream && record->tid == walk->returned_tid)
		result = add_sync(walk, returned);
	if (result)
		return result;
	if (record->kind == RECORD_SYNC && record->stream)
		return add_sync(walk, (struct timeline_sync){record->stream, record->ordinal,
							     record->time_ns});
	if (record->kind == RECORD_SYNC)
		return add_context_sync(walk, record->time_ns);
	if (record->kind == RECORD_SUBMISSION)
		note_submission(walk, record);
	return 0;
}

static int read_ring(struct walk *walk)
{
	uint64_t n_places = view_written(walk->view, walk->slot);
	uint64_t oldest = view_oldest(walk->view, walk->slot);
	int result = 0;
	walk->returned.stream = 0;
	while (walk->n_touched > 0)
		walk->newest[walk->touched[--walk->n_touched]] = 0;
	for (uint64_t index = 0; index < n_places && !result; index++) {
		uint64_t position = (oldest + index) % n_places;
		struct journal_record record;
		if (!view_record(walk->view, walk->slot, position, &record) ||
		    record.kind == RECORD_ARGUMENTS || record.kind == RECORD_NVTX)
			continue;
		if (record.time_ns > walk->syncs->newest_ns)
			walk->syncs->newest_ns = record.time_ns;
		result = add_record(walk, &record);
	}
	return result;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_syncs(const void *a, const void *b)
{
	const struct timeline_sync *left = a;
	const struct timeline_sync *right = b;
	if (left->stream != right->stream)
		return compare(left->stream, right->stream);
	if (left->ordinal != right->ordinal)
		return compare(left->ordinal, right->ordinal);
	return compare(left->time_ns, right->time_ns);
}

/* Sort, and drop a sync if a later ordinal of its stream was synced no later. */
static void sort_syncs(struct timeline_syncs *syncs)
{
	size_t n_kept = 0;
	if (!syncs->n)
		return;
	qsort(syncs->rows, syncs->n, sizeof(syncs->rows[0]), compare_syncs);
	for (size_t index = 0; index < syncs->n; index++) {
		struct timeline_sync sync = syncs->rows[index];
		while (n_kept > 0 && syncs->rows[n_kept - 1].stream == sync.stream &&
		       syncs->rows[n_kept - 1].time_ns >= sync.time_ns)
			n_kept--;
		syncs->rows[n_kept++] = sync;
	}
	syncs->n = n_kept;
}

int timeline_syncs_read(const struct bundle_view *view, struct timeline_syncs *out)
{
	struct walk walk = {.view = view,
			    .syncs = out,
			    .is_one_context = view->tables[JOURNAL_CONTEXTS].n_rows == 1,
			    .n_streams = view->tables[JOURNAL_STREAMS].n_rows};
	int result = -ENOMEM;
	memset(out, 0, sizeof(*out));
	walk.newest = calloc(walk.n_streams + 1, sizeof(walk.newest[0]));
	walk.touched = calloc(walk.n_streams + 1, sizeof(walk.touched[0]));
	if (walk.newest && walk.touched)
		result = 0;
	for (walk.slot = 0; walk.slot < view->n_rings && !result; walk.slot++)
		result = read_ring(&walk);
	free(walk.newest);
	free(walk.touched);
	if (result)
		timeline_syncs_free(out);
	else
		sort_syncs(out);
	return result;
}

void timeline_syncs_free(struct timeline_syncs *syncs)
{
	free(syncs->rows);
	memset(syncs, 0, sizeof(*syncs));
}

size_t timeline_syncs_find(const struct timeline_syncs *syncs, uint32_t stream, uint64_t ordinal)
{
	const struct timeline_sync wanted = {stream, ordinal, 0};
	size_t low = 0;
	size_t high = syncs->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_syncs(&syncs->rows[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

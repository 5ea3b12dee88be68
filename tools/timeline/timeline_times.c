/*
 * timeline_times.c - bound the GPU's times by the host's times and the submissions' states.
 */
#include "timeline/timeline_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool timeline_is_culprit(const struct verdict *verdict, const struct timeline_work *work)
{
	return work->suspect == 1 && verdict->n_suspects == 1 && verdict->failure.code &&
	       (verdict->class == VERDICT_EXACT || verdict->class == VERDICT_LIKELY);
}

static int compare_locations(const void *a, const void *b, void *works)
{
	const struct timeline_work *left = (const struct timeline_work *)works + *(const size_t *)a;
	const struct timeline_work *right =
		(const struct timeline_work *)works + *(const size_t *)b;
	if (left->lane != right->lane)
		return left->lane < right->lane ? -1 : 1;
	if (left->ordinal != right->ordinal)
		return left->ordinal < right->ordinal ? -1 : 1;
	return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

static bool is_placed(const struct timeline_work *work)
{
	return work->ordinal && work->state != TIMELINE_UNKNOWN && work->state != TIMELINE_REJECTED;
}

/* Work starts after its call, and after the earlier work on its stream. */
static void bound_begins(const struct timeline *timeline, struct timeline_times *times)
{
	uint32_t lane = UINT32_MAX;
	uint64_t newest = 0;
	for (size_t index = 0; index < timeline->n_works; index++) {
		const struct timeline_work *work = &timeline->works[times->order[index]];
		struct timeline_span *span = &times->spans[times->order[index]];
		if (work->lane != lane)
			newest = 0;
		lane = work->lane;
		span->started_after_ns = work->time_ns;
		if (!is_placed(work))
			continue;
		if (newest > work->time_ns)
			span->started_after_ns = newest;
		newest = span->started_after_ns;
	}
}

/* `sync` is the stream's first that covers `work`, or NULL. Contradictory bounds are left out. */
static void bound_work(const struct timeline_work *work, const struct timeline_sync *sync,
		       bool is_culprit, uint64_t failed_ns, struct timeline_span *span)
{
	uint64_t by = failed_ns;
	if (sync && (!by || sync->time_ns < by))
		by = sync->time_ns;
	if (by < span->started_after_ns)
		return;
	if (work->state == TIMELINE_FINISHED)
		span->started_by_ns = span->finished_by_ns = by;
	else if (is_culprit || work->state == TIMELINE_RUNNING || work->state == TIMELINE_STARTED)
		span->started_by_ns = failed_ns;
}

static const struct timeline_sync *find_sync(const struct timeline_syncs *syncs, uint32_t stream,
					     uint64_t ordinal)
{
	size_t index = timeline_syncs_find(syncs, stream, ordinal);
	return index < syncs->n && syncs->rows[index].stream == stream ? &syncs->rows[index] : NULL;
}

static void bound_ends(const struct timeline *timeline, const struct verdict *verdict,
		       struct timeline_times *times)
{
	const struct failure_row *failure = view_failure(timeline->view);
	for (size_t index = 0; index < timeline->n_works; index++) {
		const struct timeline_work *work = &timeline->works[index];
		uint32_t stream = timeline->lanes[work->lane].stream;
		if (is_placed(work))
			bound_work(work, find_sync(&times->syncs, stream, work->ordinal),
				   timeline_is_culprit(verdict, work),
				   failure ? failure->time_ns : 0, &times->spans[index]);
	}
}

int timeline_times_find(const struct timeline *timeline, const struct verdict *verdict,
			struct timeline_times *out)
{
	const struct failure_row *failure = view_failure(timeline->view);
	int result = timeline_syncs_read(timeline->view, &out->syncs);
	out->spans = calloc(timeline->n_works + 1, sizeof(out->spans[0]));
	out->order = calloc(timeline->n_works + 1, sizeof(out->order[0]));
	if (result || !out->spans || !out->order) {
		timeline_times_free(out);
		return -ENOMEM;
	}
	for (size_t index = 0; index < timeline->n_works; index++)
		out->order[index] = index;
	qsort_r(out->order, timeline->n_works, sizeof(out->order[0]), compare_locations,
		timeline->works);
	out->seen_ns = failure ? failure->time_ns : out->syncs.newest_ns;
	bound_begins(timeline, out);
	bound_ends(timeline, verdict, out);
	return 0;
}

void timeline_times_free(struct timeline_times *times)
{
	free(times->spans);
	free(times->order);
	timeline_syncs_free(&times->syncs);
	memset(times, 0, sizeof(*times));
}

/*
 * sync_points.c - take snapshots of a context's streams.
 */
#include "record/streams/sync_points.h"

#include <stdbool.h>
#include <string.h>

#include "record/host/arena.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"

enum { FIRST_CAPACITY = 64 };

/* An outgrown array stays in the arena: all of them together are smaller than the last. */
static bool make_room(struct sync_points *points)
{
	if (points->n < points->capacity)
		return true;
	uint32_t capacity = points->capacity ? points->capacity * 2 : FIRST_CAPACITY;
	struct sync_point *larger = arena_alloc_aside(capacity * sizeof(*larger));
	if (!larger)
		return false;
	if (points->n)
		memcpy(larger, points->points, points->n * sizeof(*larger));
	points->points = larger;
	points->capacity = capacity;
	return true;
}

static void note(struct stream *stream, void *data)
{
	struct sync_points *points = data;
	uint64_t submitted = streams_submitted(stream);
	if (__atomic_load_n(&stream->row->synced, __ATOMIC_RELAXED) < submitted &&
	    make_room(points))
		points->points[points->n++] =
			(struct sync_point){.stream = stream, .ordinal = submitted};
}

struct taken {
	struct sync_points *points;
	const struct context *context;
};

/* Waiting for a primary context includes its green ones (cuCtxSynchronize, cuda.h 13.0). */
static void note_streams(struct context *context, void *data)
{
	const struct taken *taken = data;
	if (context == taken->context || context->primary == taken->context)
		streams_for_each(context, note, taken->points);
}

void sync_points_take(struct sync_points *points, struct context *context)
{
	struct taken taken = {.points = points, .context = context};
	points->n = 0;
	if (context)
		contexts_for_each(note_streams, &taken);
}

static void finish(const struct sync_point *point, uint32_t call)
{
	streams_finished(point->stream->row, point->ordinal, call);
	progress_tracker_check(&point->stream->progress, point->ordinal);
}

void sync_points_finished(struct sync_points *points, uint32_t call)
{
	for (uint32_t i = 0; i < points->n; i++)
		finish(&points->points[i], call);
	points->n = 0;
}

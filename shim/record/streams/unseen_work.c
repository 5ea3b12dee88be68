/*
 * unseen_work.c - walk the streams that culprit knows and those that the driver lists.
 */
#include "record/streams/marker_readings.h"

#include <stdbool.h>

#include "record/progress/progress_list.h"
#include "record/progress/progress_unseen.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"

enum { MAX_KNOWN = 1024 };

struct search {
	struct own_memory memory;
	uint32_t tid;
	uint32_t n_known;
	uint64_t known[MAX_KNOWN]; /* objects of streams whose kernels are explained */
	uint32_t n_unplaced;       /* streams with recorded work whose object is unknown */
};

static struct search search;

static void know(uint64_t object)
{
	if (object && search.n_known < MAX_KNOWN)
		search.known[search.n_known++] = object;
}

/* Return the stream's object; 0: unknown. Under the stream's lock. */
static uint64_t object_of(const struct stream *stream)
{
	const struct progress_tracker *tracker = &stream->progress;
	if (tracker->place)
		return (uintptr_t)tracker->place - progress_layout.tracker;
	return tracker->handle ? own_memory_word(&search.memory, tracker->handle) : 0;
}

static bool has_work(const struct stream *stream)
{
	return streams_submitted(stream) > __atomic_load_n(&stream->row->before, __ATOMIC_RELAXED);
}

/* Under the stream's lock. */
static void look_at_locked(const struct stream *stream)
{
	uint64_t object = object_of(stream);
	uint64_t submitted = streams_submitted(stream);
	if (__atomic_load_n(&stream->is_ended, __ATOMIC_RELAXED))
		return;
	if (progress_unseen_newest(&stream->progress, submitted, stream->marked == submitted))
		progress_unseen_note(UNSEEN_NEWEST);
	if (!has_work(stream))
		return;
	know(object);
	search.n_unplaced += object ? 0 : 1;
}

static void look_at(struct stream *stream, void *unused)
{
	(void)unused;
	if (!futex_lock_try(&stream->lock, search.tid)) {
		search.n_unplaced++;
		return;
	}
	look_at_locked(stream);
	streams_unlock(stream, search.tid);
}

/* Our own streams ran kernels of the search. */
static void know_own(const struct context *context)
{
	const struct marker_memory *markers = &context->markers;
	if (__atomic_load_n(&markers->state, __ATOMIC_ACQUIRE) != MARKER_MEMORY_READY)
		return;
	uint32_t n = __atomic_load_n(&markers->n_side, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < n && i < MAX_SIDE_STREAMS; i++)
		know(own_memory_word(&search.memory, (uintptr_t)markers->side[i]));
}

static void look_at_known(struct context *context, void *unused)
{
	streams_for_each(context, look_at, unused);
	know_own(context);
}

static bool is_known(uint64_t object)
{
	for (uint32_t i = 0; i < search.n_known; i++) {
		if (search.known[i] == object)
			return true;
	}
	return false;
}

/* Skips green contexts, whose lists are unknown. */
static void look_at_listed(struct context *context, void *unused)
{
	const struct counter_map *counter_map = &context->progress.counter_map;
	uint32_t n_kernels = 0;
	(void)unused;
	if (context->primary || !progress_layout.has_list || !counter_map->first_stream ||
	    !progress_channels_begin_reading(&context->progress))
		return;
	uint64_t objects[PROGRESS_LIST_MAX];
	int n = progress_list_read(&search.memory, &progress_layout, counter_map->tracker_class,
				   counter_map->first_stream, objects);
	for (int i = 0; i < n; i++) {
		if (!is_known(objects[i]) && progress_unseen_is_kernel(&search.memory, objects[i]))
			n_kernels++;
	}
	progress_channels_end_reading(&context->progress);
	/* Each stream with work and an unknown object may be one of these. */
	if (n_kernels > search.n_unplaced && search.n_known < MAX_KNOWN)
		progress_unseen_note(UNSEEN_STREAM);
}

void unseen_work_find(uint32_t tid)
{
	if (!progress_channels_are_wanted() || own_memory_open(&search.memory) < 0)
		return;
	search.tid = tid;
	contexts_for_each(look_at_known, NULL);
	contexts_for_each(look_at_listed, NULL);
	own_memory_close(&search.memory);
}

/*
 * marker_readings.c - walk the streams and the channels of all contexts.
 */
#include "record/streams/marker_readings.h"

#include <stdbool.h>
#include <stddef.h>

#include "record/files/meta.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"

/* Written once, by marker_readings_copy_for_good(): atomic, relaxed. */
static bool are_copied;

static void copy_one(struct stream *stream, void *unused)
{
	(void)unused;
	__atomic_store_n(&stream->row->marked, markers_landed(stream), __ATOMIC_RELEASE);
}

void marker_readings_copy(struct context *context)
{
	if (!__atomic_load_n(&are_copied, __ATOMIC_RELAXED))
		streams_for_each(context, copy_one, NULL);
}

static void copy_context(struct context *context, void *unused)
{
	(void)unused;
	marker_readings_copy(context);
}

void marker_readings_copy_for_good(void)
{
	contexts_for_each(copy_context, NULL);
	__atomic_store_n(&are_copied, true, __ATOMIC_RELAXED);
}

struct landed_query {
	uint32_t stream;
	uint64_t landed;
};

static void answer_if_it_is_yours(struct stream *stream, void *data)
{
	struct landed_query *query = data;
	if (stream->id == query->stream)
		query->landed = markers_landed(stream);
}

static void ask_context(struct context *context, void *data)
{
	streams_for_each(context, answer_if_it_is_yours, data);
}

uint64_t marker_readings_landed(uint32_t stream)
{
	struct landed_query query = {.stream = stream};
	contexts_for_each(ask_context, &query);
	return query.landed;
}

static void copy_channels(struct context *context, void *memory)
{
	progress_channels_copy(&context->progress, memory);
}

void marker_readings_copy_channels(void)
{
	progress_channels_freeze();
	if (progress_refused())
		meta_note(META_PROGRESS, progress_refused());
	struct own_memory memory;
	if (!progress_channels_are_wanted() || own_memory_open(&memory) < 0)
		return;
	contexts_for_each(copy_channels, &memory);
	progress_states_copy(&memory);
	own_memory_close(&memory);
}

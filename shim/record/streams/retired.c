/*
 * retired.c - the list of each context's retired streams, oldest first.
 */
#include "record/streams/retired.h"

#include <stddef.h>

#include "record/driver/coredumps.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"

/* Each search checks at most this many retired streams of a context. */
enum { MAX_LOOKED_AT = 8 };

static bool are_kept; /* atomic, written once: raised by the failure */

void retired_freeze(void)
{
	__atomic_store_n(&are_kept, true, __ATOMIC_RELAXED);
}

bool retired_are_frozen(void)
{
	return __atomic_load_n(&are_kept, __ATOMIC_RELAXED);
}

bool retired_is_finished(const struct stream *stream)
{
	uint64_t synced = __atomic_load_n(&stream->row->synced, __ATOMIC_ACQUIRE);
	if (synced == streams_submitted(stream))
		return true;
	/* While a core dump is written, markers after a fault land, so they prove nothing. */
	return !coredumps_are_watched() && markers_landed(stream) == streams_submitted(stream);
}

void retired_add(struct context *context, struct stream *stream)
{
	stream->is_retired = true;
	stream->next_retired = NULL;
	if (context->retired)
		context->newest_retired->next_retired = stream;
	else
		context->retired = stream;
	context->newest_retired = stream;
}

static struct stream *pop(struct context *context)
{
	struct stream *stream = context->retired;
	context->retired = stream->next_retired;
	stream->is_retired = false;
	return stream;
}

/* Streams without proof (no marker) move to the end, a few at a time. */
struct stream *retired_take(struct context *context)
{
	struct stream *found = NULL;
	if (retired_are_frozen())
		return NULL;
	pthread_mutex_lock(&context->lock);
	for (int i = 0; i < MAX_LOOKED_AT && context->retired && !found; i++) {
		struct stream *stream = pop(context);
		if (retired_is_finished(stream))
			found = stream;
		else
			retired_add(context, stream);
	}
	pthread_mutex_unlock(&context->lock);
	return found;
}

void retired_lay_down(struct context *context, struct stream *stream)
{
	struct stream_row *row = stream->row;
	streams_finished(row, row->submitted, 0);
	__atomic_store_n(&row->before, row->submitted, __ATOMIC_RELAXED);
	__atomic_store_n(&stream->word, NULL, __ATOMIC_RELEASE);
	stream->event = NULL;
	stream->side = NULL;
	__atomic_store_n(&row->side, 0, __ATOMIC_RELAXED);
	stream->marked_ns = stream->quiet_until_ns = 0;
	stream->marked = row->submitted;
	stream->probe = 0;
	stream->is_behind = false;
	/* A thread's own stream is retired when that thread ends. */
	if (!stream->is_retired && row->kind != STREAM_PER_THREAD)
		retired_add(context, stream);
}

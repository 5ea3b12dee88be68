/*
 * stream_rows.c - write the rows of streams.
 */
#include "record/streams/stream_rows.h"

#include <assert.h>
#include <stddef.h>

#include "base/hot.h"
#include "record/host/arena.h"
#include "record/journal/bundle.h"
#include "record/streams/contexts.h"

#define OFFSET_OF(member) offsetof(struct stream, member)

static_assert(OFFSET_OF(progress.newest) == 64, "what a launch reads is in the first line");
static_assert(OFFSET_OF(progress.states) == 128, "what it writes in the second; a state in one");

static bool is_lost; /* atomic */

/* Make the row first: if none is left, every call on such a stream comes here. */
struct stream *stream_rows_make(struct context *context)
{
	struct stream_row row = {.context = context->id};
	uint32_t id = table_append(bundle_table(JOURNAL_STREAMS), &row, 1);
	struct stream *stream = id ? arena_alloc(sizeof(*stream)) : NULL;
	if (!stream)
		return NULL;
	stream->context = context;
	stream->id = id;
	stream->row = streams_row(id);
	pthread_mutex_lock(&context->lock);
	stream->next_in_context = context->streams;
	context->streams = stream;
	pthread_mutex_unlock(&context->lock);
	return stream;
}

HOT uint64_t streams_submitted(const struct stream *stream)
{
	return stream->row ? __atomic_load_n(&stream->row->submitted, __ATOMIC_ACQUIRE) : 0;
}

struct stream_row *streams_row(uint32_t id)
{
	return table_row(bundle_table(JOURNAL_STREAMS), id);
}

uint32_t streams_id(const struct stream_row *row)
{
	const struct stream_row *first = streams_row(1);
	return (uint32_t)(row - first) + 1;
}

void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call)
{
	uint64_t known = __atomic_load_n(&row->synced, __ATOMIC_RELAXED);
	while (known < ordinal && !__atomic_compare_exchange_n(&row->synced, &known, ordinal, true,
							       __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	if (known < ordinal)
		__atomic_store_n(&row->synced_by, call, __ATOMIC_RELAXED);
}

/* Read `submitted` last: it was raised before the work that it counts could finish. */
static void freeze_counts(struct stream_row *row)
{
	row->synced_then = __atomic_load_n(&row->synced, __ATOMIC_ACQUIRE);
	row->synced_by_then = __atomic_load_n(&row->synced_by, __ATOMIC_RELAXED);
	row->submitted_then = __atomic_load_n(&row->submitted, __ATOMIC_ACQUIRE);
	/* Pairs with the acquire load in stream_counts_at(). */
	(void)__atomic_fetch_or(&row->flags, STREAM_FROZEN, __ATOMIC_RELEASE);
}

void streams_freeze_counts(void)
{
	const struct table *table = bundle_table(JOURNAL_STREAMS);
	uint64_t n = table->header ? __atomic_load_n(&table->header->n_rows, __ATOMIC_ACQUIRE) : 0;
	for (uint32_t id = 1; id <= n; id++)
		freeze_counts(streams_row(id));
}

void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	pthread_mutex_lock(&context->lock);
	for (struct stream *stream = context->streams; stream; stream = stream->next_in_context)
		visit(stream, data);
	pthread_mutex_unlock(&context->lock);
}

void streams_note_lost(void)
{
	__atomic_store_n(&is_lost, true, __ATOMIC_RELAXED);
}

bool streams_lost(void)
{
	return __atomic_load_n(&is_lost, __ATOMIC_RELAXED);
}

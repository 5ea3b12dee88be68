/*
 * streams.c - finding, making and retiring streams.
 */
#include "streams.h"

#include <string.h>

#include "arena.h"
#include "bundle.h"
#include "captures.h"
#include "clock.h"
#include "driver.h"
#include "handle_map.h"
#include "hot.h"
#include "markers.h"
#include "retired.h"
#include "thread.h"

/* How long one waits for a stream: long enough for any work that is not waiting for us. */
#define STUCK_NS       3000000000ull
#define STUCK_AGAIN_NS 20000000ull

static struct handle_map map; /* explicit: CUstream; legacy: legacy_key -> struct stream */
/* Atomic: raised when a stream goes; voids the threads' caches. */
static READ_MOSTLY uint64_t generation = 1;
static bool is_lost; /* atomic */

static struct stream *as_stream(uint64_t value)
{
	return (struct stream *)(uintptr_t)value;
}

/* Contexts are aligned, so that their odd neighbours are nobody's handle. */
static uint64_t legacy_key(CUcontext context)
{
	return (uint64_t)(uintptr_t)context | 1;
}

static COLD bool wait_for(struct stream *stream)
{
	bool was_stuck = __atomic_load_n(&stream->was_stuck, __ATOMIC_RELAXED);
	if (word_lock_wait(&stream->lock, was_stuck ? STUCK_AGAIN_NS : STUCK_NS))
		return true;
	__atomic_store_n(&stream->was_stuck, 1, __ATOMIC_RELAXED);
	return false;
}

HOT bool streams_lock(struct stream *stream)
{
	return word_lock_try(&stream->lock) || wait_for(stream);
}

HOT void streams_unlock(struct stream *stream)
{
	word_lock_release(&stream->lock);
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

/*
 * Has the stream no implicit order with the legacy stream? A stream that captures must not be
 * asked: cuStreamGetFlags invalidates its capture in every mode (driver 580.159). It is described
 * before its capture begins, or else no order is claimed.
 */
static bool is_non_blocking(CUstream handle)
{
	unsigned int flags = 0;
	if (captures_stream(handle))
		return true;
	return real.cuStreamGetFlags(handle, &flags) == CUDA_SUCCESS &&
	       flags & CU_STREAM_NON_BLOCKING;
}

/* Whether streams of a green context wait for its default stream is not documented. */
static bool has_no_barrier(const struct stream *stream)
{
	return stream->context->primary || is_non_blocking(stream->handle);
}

/* What the driver tells of a stream; the numbers are left alone. */
static void describe(const struct stream *stream, enum stream_kind kind, struct stream_row *row)
{
	int priority = 0;
	row->handle = kind == STREAM_EXPLICIT ? (uintptr_t)stream->handle : 0;
	row->context = stream->context->id;
	row->kind = (uint32_t)kind;
	row->flags = has_no_barrier(stream) ? STREAM_NON_BLOCKING : 0;
	if (real.cuStreamGetPriority(stream->handle, &priority) == CUDA_SUCCESS)
		row->priority = priority;
}

/* The row first: where there is none left, every call on such a stream comes here. */
static struct stream *new_stream(struct context *context)
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

static struct stream *make_stream(struct context *context, CUstream handle, enum stream_kind kind,
				  uint32_t tid)
{
	struct stream *stream = retired_take(context);
	if (!stream)
		stream = new_stream(context);
	if (!stream)
		return NULL;
	stream->handle = handle;
	struct stream_row *row = stream->row;
	describe(stream, kind, row);
	row->tid = tid;
	row->before = row->submitted;
	streams_finished(row, row->submitted, 0);
	__atomic_store_n(&row->destroyed_ns, 0, __ATOMIC_RELAXED);
	return stream;
}

static void retire(struct stream *stream)
{
	struct context *context = stream->context;
	__atomic_store_n(&stream->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
	pthread_mutex_lock(&context->lock);
	retired_add(context, stream);
	pthread_mutex_unlock(&context->lock);
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

/* The stream of a key of the map, made if need be. */
static struct stream *shared_stream(uint64_t key, struct context *context, CUstream handle)
{
	uint64_t value;
	if (handle_map_get(&map, key, &value))
		return as_stream(value);
	if (!context)
		return NULL;
	enum stream_kind kind = handle == CU_STREAM_LEGACY ? STREAM_LEGACY : STREAM_EXPLICIT;
	struct stream *made = make_stream(context, handle, kind, 0);
	value = (uintptr_t)made;
	if (!made || !handle_map_put_new(&map, key, &value))
		return NULL;
	if (as_stream(value) != made)
		retire(made); /* Another thread was first. */
	return as_stream(value);
}

static struct context *context_of_stream(CUstream handle)
{
	CUcontext context = NULL;
	return real.cuStreamGetCtx(handle, &context) == CUDA_SUCCESS ? contexts_of(context) : NULL;
}

static struct stream *per_thread_stream(struct thread *thread, struct context *context)
{
	struct stream *stream = thread->per_thread_streams;
	while (stream && stream->context != context)
		stream = stream->next_of_thread;
	if (stream) {
		/* The context may have become another one since. */
		__atomic_store_n(&stream->row->destroyed_ns, 0, __ATOMIC_RELAXED);
		return stream;
	}
	stream = make_stream(context, CU_STREAM_PER_THREAD, STREAM_PER_THREAD, thread->tid);
	if (!stream)
		return NULL;
	stream->next_of_thread = thread->per_thread_streams;
	thread->per_thread_streams = stream;
	return stream;
}

/* The thread's entry for a key, emptied with all others if a stream has gone since. */
static inline struct stream_cache_entry *entry_of(struct thread *thread, uint64_t key)
{
	/*
	 * Read before a stream is looked up: one that is found below and destroyed meanwhile is
	 * then not believed later. Pairs with the release in retire().
	 */
	uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
	if (thread->streams_generation != now) {
		memset(thread->streams, 0, sizeof(thread->streams));
		thread->streams_generation = now;
	}
	return &thread->streams[(key >> 4) % STREAM_CACHE];
}

static struct stream *remember(struct stream_cache_entry *entry, uint64_t key,
			       struct stream *stream)
{
	if (stream)
		*entry = (struct stream_cache_entry){.key = key, .stream = stream};
	return stream;
}

static COLD struct stream *find_explicit(struct stream_cache_entry *entry, CUstream handle)
{
	uint64_t key = (uintptr_t)handle;
	uint64_t value;
	if (handle_map_get(&map, key, &value))
		return remember(entry, key, as_stream(value));
	return remember(entry, key, shared_stream(key, context_of_stream(handle), handle));
}

static HOT struct stream *explicit_stream(struct thread *thread, CUstream handle)
{
	struct stream_cache_entry *entry = entry_of(thread, (uintptr_t)handle);
	return entry->key == (uintptr_t)handle ? entry->stream : find_explicit(entry, handle);
}

static HOT struct stream *legacy_stream(struct thread *thread, CUcontext context)
{
	uint64_t key = legacy_key(context);
	struct stream_cache_entry *entry = entry_of(thread, key);
	if (entry->key == key)
		return entry->stream;
	return remember(entry, key, shared_stream(key, contexts_of(context), CU_STREAM_LEGACY));
}

HOT struct stream *streams_of(struct thread *thread, CUstream handle, bool is_default_per_thread)
{
	CUcontext current = NULL;
	if (!handle)
		handle = is_default_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
	if (handle != CU_STREAM_LEGACY && handle != CU_STREAM_PER_THREAD)
		return explicit_stream(thread, handle);
	if (real.cuCtxGetCurrent(&current) != CUDA_SUCCESS || !current)
		return NULL;
	if (handle == CU_STREAM_LEGACY)
		return legacy_stream(thread, current);
	struct context *context = contexts_of(current);
	return context ? per_thread_stream(thread, context) : NULL;
}

/* The GPU goes on with a destroyed stream's work: a last marker tells when the row is free again.
 */
static void follow_to_the_end(struct stream *stream)
{
	if (!streams_lock(stream))
		return;
	if (!retired_is_finished(stream) && !captures_stream(stream->handle))
		markers_follow_last(stream);
	streams_unlock(stream);
}

void streams_destroyed(CUstream handle)
{
	uint64_t value;
	if (!handle_map_take(&map, (uintptr_t)handle, &value))
		return;
	follow_to_the_end(as_stream(value));
	retire(as_stream(value));
}

void streams_thread_ended(struct thread *thread)
{
	while (thread->per_thread_streams) {
		struct stream *stream = thread->per_thread_streams;
		thread->per_thread_streams = stream->next_of_thread;
		retire(stream);
	}
}

/* What it had from its context is gone with that; its work is done. Under the context's lock. */
static void lay_down(struct context *context, struct stream *stream)
{
	struct stream_row *row = stream->row;
	streams_finished(row, row->submitted, 0);
	row->before = row->submitted;
	__atomic_store_n(&stream->word, NULL, __ATOMIC_RELEASE);
	stream->event = NULL;
	stream->side = NULL;
	stream->marked_ns = 0;
	stream->marked = row->submitted;
	stream->probe = 0;
	stream->is_behind = false;
	/* A thread's own stream is retired when that thread ends. */
	if (!stream->is_retired && row->kind != STREAM_PER_THREAD)
		retired_add(context, stream);
}

/* Under the context's lock. The handle of a retired stream may be another context's by now. */
static void forget_handle(const struct stream *stream)
{
	uint64_t ignored;
	if (!stream->is_retired && stream->row->kind == STREAM_LEGACY)
		(void)handle_map_take(&map, legacy_key(stream->context->handle), &ignored);
	else if (!stream->is_retired)
		(void)handle_map_take(&map, (uintptr_t)stream->handle, &ignored);
}

void streams_retire_all(struct context *context)
{
	pthread_mutex_lock(&context->lock);
	for (struct stream *stream = context->streams; stream; stream = stream->next_in_context) {
		forget_handle(stream);
		__atomic_store_n(&stream->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
		/* A thread's own stream is retired when that thread ends. */
		if (!stream->is_retired && stream->row->kind != STREAM_PER_THREAD)
			retired_add(context, stream);
	}
	pthread_mutex_unlock(&context->lock);
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

bool streams_context_destroyed(struct context *context)
{
	bool finished = !retired_are_kept();
	markers_copy(context);
	pthread_mutex_lock(&context->lock);
	for (struct stream *stream = context->streams; stream; stream = stream->next_in_context) {
		forget_handle(stream);
		__atomic_store_n(&stream->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
		finished = finished && retired_is_finished(stream);
	}
	for (struct stream *stream = context->streams; stream && finished;
	     stream = stream->next_in_context)
		lay_down(context, stream);
	pthread_mutex_unlock(&context->lock);
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
	return finished;
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

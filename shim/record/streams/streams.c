/*
 * streams.c - find, make and retire streams.
 */
#include "record/streams/streams.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/arena.h"
#include "record/host/clock.h"
#include "record/host/gone_handles.h"
#include "record/host/grace_period.h"
#include "record/host/handle_map.h"
#include "record/streams/contexts.h"
#include "record/streams/late_numbers.h"
#include "record/streams/markers.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"

static struct handle_map map; /* explicit: CUstream; legacy: legacy_key -> struct stream */

/*
 * Stands for an explicit stream that a thread is destroying: the driver is not asked about it, and
 * nothing is sent to it. A submission to it meanwhile may be refused or accepted, and belongs to no
 * stream. Its thread is not held back until the stream is destroyed: before that it might still be
 * in time, and after it the driver may crash (580.159).
 */
static const uint64_t ENDING = 1;

/* Destroyed explicit streams: the driver is not asked about these, either. */
static struct gone_handles gone;

READ_MOSTLY uint64_t streams_generation = 1;

static struct stream *as_stream(uint64_t value)
{
	return value == ENDING ? NULL : (struct stream *)(uintptr_t)value;
}

static void retire(struct stream *stream)
{
	struct context *context = stream->context;
	__atomic_store_n(&stream->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
	pthread_mutex_lock(&context->lock);
	retired_add(context, stream);
	pthread_mutex_unlock(&context->lock);
	__atomic_fetch_add(&streams_generation, 1, __ATOMIC_RELEASE);
}

/* Return the stream of a key of the map, and make it if it is new. */
static struct stream *shared_stream(uint64_t key, struct context *context, CUstream handle)
{
	uint64_t value = 0;
	if (handle_map_get(&map, key, &value))
		return as_stream(value);
	if (!context)
		return NULL;
	enum stream_kind kind = handle == CU_STREAM_LEGACY ? STREAM_LEGACY : STREAM_EXPLICIT;
	struct stream *made = stream_make(context, handle, kind, 0);
	value = (uintptr_t)made;
	if (!made || !handle_map_put_new(&map, key, &value))
		return NULL;
	if (as_stream(value) != made)
		retire(made); /* Another thread was first, with the stream or with its end. */
	return as_stream(value);
}

static struct context *context_of_stream(CUstream handle)
{
	CUcontext context = NULL;
	return real.cuStreamGetCtx(handle, &context) == CUDA_SUCCESS ? contexts_of(context) : NULL;
}

static struct stream *per_thread_stream(struct stream_cache *cache, struct context *context)
{
	struct stream *stream = cache->finds->own;
	while (stream && stream->context != context)
		stream = stream->next_of_thread;
	if (stream) {
		/* The context may have been reused since. */
		__atomic_store_n(&stream->row->destroyed_ns, 0, __ATOMIC_RELAXED);
		return stream;
	}
	stream = stream_make(context, CU_STREAM_PER_THREAD, STREAM_PER_THREAD,
			     (uint32_t)syscall(SYS_gettid));
	if (!stream)
		return NULL;
	stream->next_of_thread = cache->finds->own;
	cache->finds->own = stream;
	return stream;
}

/* Renew an entry. While numbers are owed, it stays invalid. */
static COLD void renew(struct stream_cache *cache, struct stream_cache_entry *entry, uint64_t now)
{
	bool is_owing = cache->finds->late && !late_numbers_give(cache->finds->late);
	*entry = (struct stream_cache_entry){.generation = is_owing ? 0 : now};
}

/* Return the thread's entry for a key, emptied if any stream ended since. */
static inline struct stream_cache_entry *entry_of(struct stream_cache *cache, uint64_t key)
{
	/*
	 * Read before a stream is looked up: the entry of a stream destroyed meanwhile is then
	 * invalid later. Pairs with the release in retire().
	 */
	uint64_t now = __atomic_load_n(&streams_generation, __ATOMIC_ACQUIRE);
	struct stream_cache_entry *entry = &cache->finds->entries[(key >> 4) % STREAM_CACHE];
	if (UNLIKELY(entry->generation != now))
		renew(cache, entry, now);
	return entry;
}

static struct stream *remember(struct stream_cache_entry *entry, uint64_t key,
			       struct stream *stream)
{
	if (stream) {
		entry->key = key;
		entry->stream = stream;
	}
	return stream;
}

static COLD struct stream *find_explicit(struct stream_cache_entry *entry, CUstream handle)
{
	uint64_t key = (uintptr_t)handle;
	uint64_t value = 0;
	if (handle_map_get(&map, key, &value))
		return remember(entry, key, as_stream(value));
	if (gone_handles_has(&gone, key))
		return NULL;
	return remember(entry, key, shared_stream(key, context_of_stream(handle), handle));
}

static void keep_newest(struct stream_cache *cache, const struct stream_cache_entry *entry)
{
	cache->generation = entry->generation;
	cache->key = entry->key;
	cache->stream = entry->stream;
}

static struct stream *explicit_stream(struct stream_cache *cache, CUstream handle)
{
	struct stream_cache_entry *entry = entry_of(cache, (uintptr_t)handle);
	struct stream *stream =
		entry->key == (uintptr_t)handle ? entry->stream : find_explicit(entry, handle);
	if (stream)
		keep_newest(cache, entry);
	return stream;
}

static COLD struct stream *find_legacy(struct stream_cache_entry *entry, CUcontext context)
{
	uint64_t key = streams_legacy_key(context);
	return remember(entry, key, shared_stream(key, contexts_of(context), CU_STREAM_LEGACY));
}

static struct stream *legacy_stream(struct stream_cache *cache, CUcontext context)
{
	uint64_t key = streams_legacy_key(context);
	struct stream_cache_entry *entry = entry_of(cache, key);
	struct stream *stream = entry->key == key ? entry->stream : find_legacy(entry, context);
	if (stream)
		keep_newest(cache, entry);
	return stream;
}

/* Return one of the two default streams: each context has one, and each thread in it. */
static HOT struct stream *default_stream(struct stream_cache *cache, CUstream handle,
					 bool is_default_per_thread)
{
	CUcontext current = NULL;
	if (!handle)
		handle = is_default_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
	if (real.cuCtxGetCurrent(&current) != CUDA_SUCCESS || !current)
		return NULL;
	if (handle == CU_STREAM_LEGACY)
		return legacy_stream(cache, current);
	struct context *context = contexts_of(current);
	return context ? per_thread_stream(cache, context) : NULL;
}

static bool is_explicit(CUstream handle)
{
	return handle && handle != CU_STREAM_LEGACY && handle != CU_STREAM_PER_THREAD;
}

HOT struct stream *streams_find(struct stream_cache *cache, CUstream handle,
				bool is_default_per_thread)
{
	if (is_explicit(handle))
		return explicit_stream(cache, handle);
	return default_stream(cache, handle, is_default_per_thread);
}

/*
 * The GPU keeps running a destroyed stream's work: a last marker shows when the row is free again.
 * A thread that found the stream before sees is_ended.
 */
static void follow_to_the_end(struct stream *stream, bool is_locked)
{
	if (is_locked && !retired_is_finished(stream) && !captures_stream(stream->handle))
		markers_follow_last(stream);
	__atomic_store_n(&stream->is_ended, true, __ATOMIC_SEQ_CST);
	if (is_locked)
		progress_tracker_forget(&stream->progress);
	progress_tracker_give_up(&stream->progress);
}

/* A thread that found the stream before can still take its lock. */
static void mark_ending(struct stream *stream, uint32_t tid)
{
	bool is_locked = streams_lock(stream, tid);
	follow_to_the_end(stream, is_locked);
	if (is_locked)
		streams_unlock(stream, tid);
}

static void retire_behind_others(struct stream *stream, uint32_t tid)
{
	bool is_locked = streams_lock(stream, tid);
	retire(stream);
	if (is_locked)
		streams_unlock(stream, tid);
}

/*
 * Any thread seen on its way when this starts holds the stream's lock until the driver returns. A
 * thread seen only at the second look has the lock if it discovered the stream before.
 */
void streams_destroying(CUstream handle, uint32_t tid)
{
	uint64_t key = (uintptr_t)handle;
	uint64_t value = ENDING;
	if (!is_explicit(handle))
		return;
	grace_wait_arrivals();
	(void)handle_map_take(&map, key, &value);
	(void)handle_map_put(&map, key, ENDING);
	/* Add it before its destruction: afterwards its handle may be a new stream's. */
	gone_handles_add(&gone, key);
	struct stream *stream = as_stream(value);
	if (stream)
		mark_ending(stream, tid);
	grace_wait_arrivals();
	if (stream)
		retire_behind_others(stream, tid);
}

void streams_destroyed(CUstream handle, bool has_gone)
{
	(void)handle_map_take_own(&map, (uintptr_t)handle, ENDING);
	if (!has_gone)
		gone_handles_remove(&gone, (uintptr_t)handle);
}

void streams_created(CUstream handle)
{
	(void)handle_map_take_own(&map, (uintptr_t)handle, ENDING);
	gone_handles_remove(&gone, (uintptr_t)handle);
}

void streams_owe_number(struct stream_cache *cache, uint32_t tid, struct stream *stream,
			struct journal_record *row, struct file_header *ring)
{
	if (!cache->finds->late)
		cache->finds->late = arena_alloc(sizeof(*cache->finds->late));
	late_numbers_owe(cache->finds->late, tid, stream, row, ring ? &ring->owed : NULL);
	memset(cache->finds->entries, 0, sizeof(cache->finds->entries));
	keep_newest(cache, &(struct stream_cache_entry){0});
}

/* The thread's end destroys the driver's object, and another stream may reuse its counters. */
void streams_thread_finished(struct stream_cache *cache, uint32_t tid)
{
	if (cache->finds->late)
		late_numbers_end(cache->finds->late);
	while (cache->finds->own) {
		struct stream *stream = cache->finds->own;
		cache->finds->own = stream->next_of_thread;
		if (streams_lock(stream, tid)) {
			progress_tracker_forget(&stream->progress);
			streams_unlock(stream, tid);
		}
		progress_tracker_give_up(&stream->progress);
		retire(stream);
	}
}

/* Under the context's lock. A retired stream's handle may be another context's by now. */
static void forget_handle(const struct stream *stream)
{
	uint32_t kind = __atomic_load_n(&stream->row->kind, __ATOMIC_RELAXED);
	uint64_t ignored = 0;
	if (!stream->is_retired && kind == STREAM_LEGACY)
		(void)handle_map_take(&map, streams_legacy_key(stream->context->handle), &ignored);
	else if (!stream->is_retired)
		(void)handle_map_take(&map, (uintptr_t)stream->handle, &ignored);
}

/*
 * Stop following the stream. An ending context keeps its streams from being followed by its
 * channels. A green context uses the channels of its primary one, which live on, so its streams are
 * given up.
 */
static void leave(const struct context *context, struct stream *stream)
{
	if (context->primary) {
		progress_tracker_forget(&stream->progress);
		progress_tracker_give_up(&stream->progress);
	} else {
		progress_tracker_pause(&stream->progress);
	}
}

/*
 * Note the handles before they are destroyed with the context: afterwards they may be new streams'.
 * If the context stays after all, its streams are known, and need no questions. Under its lock.
 */
static void note_going(const struct context *context)
{
	for (const struct stream *stream = context->streams; stream;
	     stream = stream->next_in_context) {
		uint32_t kind = __atomic_load_n(&stream->row->kind, __ATOMIC_RELAXED);
		if (kind == STREAM_EXPLICIT && !stream->is_retired)
			gone_handles_add(&gone, (uintptr_t)stream->handle);
	}
}

/* Streams are only added at the list's head. Their locks are taken before the context's. */
void streams_ending(struct context *context, uint32_t tid)
{
	pthread_mutex_lock(&context->lock);
	struct stream *stream = context->streams;
	note_going(context);
	pthread_mutex_unlock(&context->lock);
	for (; stream; stream = stream->next_in_context) {
		if (!streams_lock(stream, tid)) {
			progress_tracker_give_up(&stream->progress);
			continue;
		}
		leave(context, stream);
		streams_unlock(stream, tid);
	}
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
	__atomic_fetch_add(&streams_generation, 1, __ATOMIC_RELEASE);
}

/*
 * Drop the driver's objects, which were destroyed with the context, also under threads on their
 * way. True: no such thread is left to number its submission, and the work is known to be finished.
 */
static bool forget_driver(struct stream *stream, uint32_t tid)
{
	if (!futex_lock_try(&stream->lock, tid)) {
		progress_tracker_give_up(&stream->progress);
		return false;
	}
	progress_tracker_forget(&stream->progress);
	bool is_finished = !__atomic_load_n(&stream->n_beside, __ATOMIC_SEQ_CST) &&
			   retired_is_finished(stream);
	streams_unlock(stream, tid);
	return is_finished;
}

bool streams_context_destroyed(struct context *context, uint32_t tid)
{
	bool finished = !retired_are_frozen();
	pthread_mutex_lock(&context->lock);
	for (struct stream *stream = context->streams; stream; stream = stream->next_in_context) {
		forget_handle(stream);
		finished = forget_driver(stream, tid) && finished;
		__atomic_store_n(&stream->row->destroyed_ns, clock_ns(), __ATOMIC_RELAXED);
	}
	for (struct stream *stream = context->streams; stream && finished;
	     stream = stream->next_in_context)
		retired_lay_down(context, stream);
	pthread_mutex_unlock(&context->lock);
	__atomic_fetch_add(&streams_generation, 1, __ATOMIC_RELEASE);
	return finished;
}

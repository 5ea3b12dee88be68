/*
 * streams.h - the application's streams from creation to end, and which of them a call means.
 */
#ifndef CULPRIT_RECORD_STREAMS_H
#define CULPRIT_RECORD_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/hot.h"
#include "record/driver/driver.h"

struct context;
struct file_header;
struct journal_record;
struct late_numbers;
struct stream;

/* A power of two. */
enum { STREAM_CACHE = 16 };

/* Fits half a line of 64 bytes. */
struct stream_cache_entry {
	uint64_t generation; /* another generation makes the entry invalid */
	uint64_t key;
	struct stream *stream;
} __attribute__((aligned(32)));

/* One thread's cached streams, and its own default streams, one a context. All zero is empty. */
struct stream_finds {
	struct stream_cache_entry entries[STREAM_CACHE];
	struct stream *own;
	/* NULL: none ever. While numbers are owed the cache is empty, and each look-up tries them.
	 */
	struct late_numbers *late;
};

/*
 * The same, with the newest entry before it: an explicit or legacy stream, or nothing yet. No
 * stream has the key 0. See struct thread.
 */
struct stream_cache {
	uint64_t generation, key;
	struct stream *stream;
	struct stream_finds *finds;
};

/* Raised when a stream ends; invalidates the threads' caches. */
extern __attribute__((visibility("hidden"))) uint64_t streams_generation; /* atomic */

/*
 * Return the stream that a call with this argument means, discovering it if it is new. Null is the
 * thread's own default stream if is_default_per_thread, else the current context's legacy one.
 * NULL: no context, no memory. Calls the driver; no lock held. Slot owner only.
 */
struct stream *streams_find(struct stream_cache *cache, CUstream handle,
			    bool is_default_per_thread);

static inline struct stream *streams_newest(const struct stream_cache *cache, uint64_t key)
{
	/* Pairs with the release in retire(). */
	uint64_t now = __atomic_load_n(&streams_generation, __ATOMIC_ACQUIRE);
	return LIKELY(cache->key == key) && LIKELY(cache->generation == now) ? cache->stream : NULL;
}

/* Return the explicit stream of this handle if the thread used it last, else NULL. */
static inline struct stream *streams_cached(const struct stream_cache *cache, CUstream handle)
{
	return streams_newest(cache, (uintptr_t)handle);
}

/* Return the key of a legacy stream. It is odd; contexts and handles are aligned. */
static inline uint64_t streams_legacy_key(CUcontext context)
{
	return (uint64_t)(uintptr_t)context | 1;
}

/* Return the current legacy stream if it was used last. Calls the driver if a legacy one was. */
static inline struct stream *streams_legacy_cached(const struct stream_cache *cache)
{
	CUcontext current = NULL;
	if (!(cache->key & 1) || real.cuCtxGetCurrent(&current) != CUDA_SUCCESS)
		return NULL;
	return streams_newest(cache, streams_legacy_key(current));
}

static inline struct stream *streams_of(struct stream_cache *cache, CUstream handle,
					bool is_default_per_thread)
{
	struct stream *stream = streams_cached(cache, handle);
	return stream ? stream : streams_find(cache, handle, is_default_per_thread);
}

/*
 * The thread of this id is about to destroy an explicit stream. Wait for other threads that may be
 * using it; from now on nothing is asked about it or sent to it. No lock held.
 */
void streams_destroying(CUstream handle, uint32_t tid);

/* The destroying call has returned; if the driver refused, the stream may still exist. Any thread.
 */
void streams_destroyed(CUstream handle, bool has_gone);

/*
 * Note that the handle is a new stream's. The thread that destroyed the old one may not have
 * reported that yet. Any thread.
 */
void streams_created(CUstream handle);

/*
 * Owe a number to the submission of `row` (may be NULL) to the stream, whose order is unknown. The
 * ring's header publishes that: see late_numbers.h. The thread of this id, slot owner only.
 */
void streams_owe_number(struct stream_cache *cache, uint32_t tid, struct stream *stream,
			struct journal_record *row, struct file_header *ring);

/* Retire the default streams of a thread that ends. Slot owner only. */
void streams_thread_finished(struct stream_cache *cache, uint32_t tid);

/*
 * The context is about to be destroyed, after contexts_ending(). Wait for submissions under way,
 * for each stream as long as any submitter would. Later ones neither follow the driver nor send
 * markers. Called by the thread of this id, without locks.
 */
void streams_ending(struct context *context, uint32_t tid);

/*
 * Drop all streams of a destroyed context; their rows already have what the markers show. True: all
 * their work is known to be finished, and the context can be reused with its streams. Called by the
 * thread of this id, without locks.
 */
bool streams_context_destroyed(struct context *context, uint32_t tid);

/*
 * Retire the streams of a destroyed green context. Their handles are invalid, but their work may
 * still run; each is reused when its work is known to be finished. Any thread.
 */
void streams_retire_all(struct context *context);

#endif

/*
 * streams.h - the application's streams: which stream a call means, from its making to its end.
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

/* In half a line of 64 bytes. */
struct stream_cache_entry {
	uint64_t generation; /* another one makes it void */
	uint64_t key;
	struct stream *stream;
} __attribute__((aligned(32)));

/* What one thread has looked up, and its own default streams, one a context. All zero is empty. */
struct stream_finds {
	struct stream_cache_entry entries[STREAM_CACHE];
	struct stream *own;
	/* NULL: none ever. While some are owed no stream is found in here, and that tries them. */
	struct late_numbers *late;
};

/*
 * The same, with what it looked up last before it: an explicit stream, or a legacy one, or nothing
 * yet. The key 0 is none's. See struct thread.
 */
struct stream_cache {
	uint64_t generation, key;
	struct stream *stream;
	struct stream_finds *finds;
};

/* Raised when a stream goes; voids the threads' caches. */
extern __attribute__((visibility("hidden"))) uint64_t streams_generation; /* atomic */

/*
 * The stream that a call with this argument means: null stands for the thread's own default stream
 * if is_default_per_thread, else for the legacy one of the current context. Made known at its first
 * sight. NULL: no context, no memory. Calls the driver; no lock held. Slot owner only.
 */
struct stream *streams_find(struct stream_cache *cache, CUstream handle,
			    bool is_default_per_thread);

static inline struct stream *streams_newest(const struct stream_cache *cache, uint64_t key)
{
	/* Pairs with the release in retire(). */
	uint64_t now = __atomic_load_n(&streams_generation, __ATOMIC_ACQUIRE);
	return USUALLY(cache->key == key) && USUALLY(cache->generation == now) ? cache->stream
									       : NULL;
}

/* The same of an explicit stream that the thread used last, else NULL. */
static inline struct stream *streams_again(const struct stream_cache *cache, CUstream handle)
{
	return streams_newest(cache, (uintptr_t)handle);
}

/* The key of a legacy stream. Contexts are aligned, and handles: odd ones are nobody's. */
static inline uint64_t streams_legacy_key(CUcontext context)
{
	return (uint64_t)(uintptr_t)context | 1;
}

/* The same of the current context's legacy stream. Calls the driver if it was one. */
static inline struct stream *streams_legacy_again(const struct stream_cache *cache)
{
	CUcontext current = NULL;
	if (!(cache->key & 1) || real.cuCtxGetCurrent(&current) != CUDA_SUCCESS)
		return NULL;
	return streams_newest(cache, streams_legacy_key(current));
}

static inline struct stream *streams_of(struct stream_cache *cache, CUstream handle,
					bool is_default_per_thread)
{
	struct stream *stream = streams_again(cache, handle);
	return stream ? stream : streams_find(cache, handle, is_default_per_thread);
}

/*
 * An explicit stream is about to be destroyed, by the thread of this id, which other threads may be
 * using: they are waited for, and nothing is asked of it or sent to it any more. No lock held.
 */
void streams_destroying(CUstream handle, uint32_t tid);

/* The call has returned; if the driver refused, it may still be there. Any thread. */
void streams_destroyed(CUstream handle, bool has_gone);

/*
 * The handle is a new stream's. Who has destroyed the one that had it may still have to tell. Any
 * thread.
 */
void streams_created(CUstream handle);

/*
 * The submission of `row` (may be NULL) to the stream, of unknown order, is owed its number, as the
 * header of the ring tells: see late_numbers.h. By the thread of this id, slot owner only.
 */
void streams_owe_number(struct stream_cache *cache, uint32_t tid, struct stream *stream,
			struct journal_record *row, struct file_header *ring);

/* The default streams of a thread that ends. Slot owner only. */
void streams_thread_ended(struct stream_cache *cache, uint32_t tid);

/*
 * The context is about to be destroyed, and contexts_ending() was told so: submissions that are on
 * their way are waited for, each stream as long as any submitter would wait. Later ones neither
 * follow the driver nor send markers. For the thread of this id, which holds no lock.
 */
void streams_ending(struct context *context, uint32_t tid);

/*
 * Drops all streams of a context that is gone; what their markers show is in their rows already.
 * True: all their work is known to be finished, and the context with its streams can be used for
 * another one. For the thread of this id, which holds no lock.
 */
bool streams_context_destroyed(struct context *context, uint32_t tid);

/*
 * The streams of a green context that is gone: their handles are nobody's, but what they were given
 * may still run, and each is used again when its work is known to be finished. Any thread.
 */
void streams_retire_all(struct context *context);

#endif

/*
 * thread.h - everything culprit keeps for one thread: its guard against re-entry, its ring and its
 * caches. Only the thread itself touches it.
 */
#ifndef CULPRIT_RECORD_THREAD_H
#define CULPRIT_RECORD_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"
#include "ring.h"
#include "stack_cache.h"
#include "sync_points.h"
#include "tick_clock.h"

struct stream;
struct function;

/* Powers of two. A training step of PyTorch launches some hundred different kernels. */
enum { STREAM_CACHE = 16, FUNCTION_CACHE = 256 };

struct stream_cache_entry {
	uint64_t key;
	struct stream *stream;
};

struct function_cache_entry {
	CUfunction handle;
	const struct function *function;
};

/* What every launch needs of it, the ring's place included, is in the first line of 64 bytes. */
struct thread {
	uint64_t streams_generation;   /* another one makes streams[] void */
	uint64_t functions_generation; /* the same of functions[] */
	uint32_t tid;
	struct ring ring;
	struct tick_clock clock;
	struct thread *next_free;          /* in the list of those whose thread has ended */
	struct stream *per_thread_streams; /* its own default streams, one a context */
	struct stream_cache_entry streams[STREAM_CACHE];
	struct stack_cache stacks;
	struct function_cache_entry functions[FUNCTION_CACHE];
	struct sync_points sync_points;
};

/*
 * The calling thread's state, made at its first call; NULL when there is no memory. A ring left by
 * an ended thread is taken over: records carry their thread's id. Any thread.
 */
struct thread *thread_self(void);

/* Where the calling thread's errno is: the C library's answer, remembered. Any thread. */
int *thread_errno(void);

/*
 * Guard against re-entry: enter() is false when this thread is already inside culprit, and the
 * call must pass through untouched. Signal-safe.
 */
bool thread_enter(void);
void thread_leave(void);

#endif

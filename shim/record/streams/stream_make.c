/*
 * stream_make.c - ask the driver about a stream, and start to follow it.
 */
#include "record/streams/stream_rows.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"

/*
 * True if the stream has no implicit order with the legacy stream. A capturing stream must not be
 * asked: cuStreamGetFlags invalidates its capture in every mode (driver 580.159). If it was not
 * described before its capture, no order is claimed.
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

/* Describe the stream as the driver does. Its numbers are left unchanged. */
static void describe(const struct stream *stream, enum stream_kind kind, struct stream_row *row)
{
	int priority = 0;
	row->handle = kind == STREAM_EXPLICIT ? (uintptr_t)stream->handle : 0;
	row->context = stream->context->id;
	/* The stream is in its context's list by now, and the context may be ending. */
	__atomic_store_n(&row->kind, (uint32_t)kind, __ATOMIC_RELAXED);
	row->flags = has_no_barrier(stream) ? STREAM_NON_BLOCKING : 0;
	if (real.cuStreamGetPriority(stream->handle, &priority) == CUDA_SUCCESS)
		row->priority = priority;
}

/* A green context's list of streams is unknown, unlike its primary one's, so a thread's own stream
 * there is not followed. */
static void start_tracker(struct stream *stream, enum stream_kind kind)
{
	struct context *context = stream->context;
	bool is_apart = kind == STREAM_PER_THREAD && context->primary;
	const struct progress_tracker tracker = {
		.stream = stream->id,
		.channels = is_apart ? NULL : contexts_progress(context),
		.handle = kind == STREAM_EXPLICIT ? (uintptr_t)stream->handle : 0,
		.context = kind == STREAM_LEGACY ? (uintptr_t)context->handle : 0};
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	/* A thread on its way in the memory's previous stream may hold the lock. */
	if (!streams_lock(stream, tid)) {
		progress_tracker_give_up(&stream->progress);
		return;
	}
	__atomic_store_n(&stream->is_ended, false, __ATOMIC_RELAXED);
	progress_tracker_start(&stream->progress, &tracker);
	streams_unlock(stream, tid);
}

/*
 * Continue the old stream's numbers. A wait after all of the old stream's work has its last number,
 * and `before` shows a reader which stream the wait belongs to. At 0 it would be the new
 * stream's, so an old stream without work leaves 1.
 */
static void begin_numbers(struct stream_row *row, bool is_reused)
{
	uint64_t before = row->submitted;
	if (is_reused && before == 0)
		__atomic_store_n(&row->submitted, ++before, __ATOMIC_RELEASE);
	streams_finished(row, before, 0);
	__atomic_store_n(&row->before, before, __ATOMIC_RELAXED);
}

struct stream *stream_make(struct context *context, CUstream handle, enum stream_kind kind,
			   uint32_t tid)
{
	struct stream *stream = retired_take(context);
	if (!stream)
		stream = stream_rows_make(context);
	if (!stream)
		return NULL;
	stream->handle = handle;
	bool is_reused = __atomic_fetch_add(&stream->n_lives, 1, __ATOMIC_RELAXED) > 0;
	start_tracker(stream, kind);
	struct stream_row *row = stream->row;
	describe(stream, kind, row);
	row->tid = tid;
	begin_numbers(row, is_reused);
	__atomic_store_n(&row->destroyed_ns, 0, __ATOMIC_RELAXED);
	return stream;
}

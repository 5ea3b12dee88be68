/*
 * queue.c - accept operations and wait for them: order within a stream, barriers of the legacy
 * default stream, and the limit of a queue's depth. worker.c runs the operations.
 */
#include "run/queue.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "failure/failure.h"
#include "progress/progress.h"
#include "run/active.h"
#include "run/worker.h"
#include "settings.h"
#include "sim.h"
#include "work/event.h"
#include "work/operation.h"
#include "work/work_run.h"

static bool is_submission(const struct work *work)
{
	return work->kind != WORK_EVENT_RECORD && work->kind != WORK_EVENT_WAIT &&
	       work->kind != WORK_EMPTY;
}

static struct submission number_submission(CUstream stream, const struct work *work)
{
	static uint64_t n_submissions;
	static uint64_t n_launches; /* guarded by sim_lock */
	struct submission submission = {.tid = (pid_t)syscall(SYS_gettid)};
	if (!is_submission(work))
		return submission;
	submission.number = ++n_submissions;
	submission.ordinal = ++stream->n_submissions;
	stream->n_queued_submissions++;
	if (work->kind == WORK_KERNEL)
		submission.launch = ++n_launches;
	return submission;
}

static void append(CUstream stream, struct work *work)
{
	struct operation *operation = sim_alloc(sizeof(*operation));
	*operation = (struct operation){.stream = stream,
					.sequence = context_owner(stream->context)->n_accepted++,
					.accepted_ns = sim_gpu_ns(),
					.submission = number_submission(stream, work),
					.work = *work};
	if (stream->tail)
		stream->tail->next = operation;
	else
		stream->head = operation;
	stream->tail = operation;
	progress_submitted(operation);
	stream->n_accepted++;
	if (stream->n_accepted - stream->n_done == 1)
		active_add(stream);
	if (!worker_settle(operation))
		worker_wake();
}

/* Count the work as finished without running it. */
static CUresult forget(CUstream stream, struct work *work)
{
	struct operation operation = {.stream = stream, .work = *work};
	progress_submitted(&operation);
	progress_begun(&operation);
	progress_finished(&operation);
	work_release(work);
	return CUDA_SUCCESS;
}

CUresult queue_submit(CUstream stream, struct work *work)
{
	CUresult result = CUDA_SUCCESS;
	if (settings.forgets_kernels && work->kind == WORK_KERNEL)
		return forget(stream, work);
	stream_reference(stream);
	while (result == CUDA_SUCCESS && is_submission(work) &&
	       stream->n_queued_submissions >= settings.queue_depth)
		result = progress_told(failure_wait_progress(stream->context));
	if (result == CUDA_SUCCESS)
		append(stream, work);
	else
		work_release(work);
	stream_release(stream);
	return result;
}

/*
 * True if every operation of the context with a lower number is done. Orphans belong to an earlier
 * green context with this handle, and count only when the primary context is destroyed.
 */
static bool is_context_done(CUcontext context, uint64_t sequence)
{
	for (CUstream stream = context->streams; stream; stream = stream->next)
		if (stream->head && stream->head->sequence < sequence &&
		    (context->is_destroyed || !stream->is_orphan))
			return false;
	return true;
}

/* A primary context includes its green contexts. */
static bool are_contexts_done(CUcontext context, uint64_t sequence)
{
	for (CUcontext green = context->greens; green; green = green->next_green)
		if (!green->is_destroyed && !is_context_done(green, sequence))
			return false;
	return is_context_done(context, sequence);
}

CUresult queue_wait_context(CUcontext context)
{
	uint64_t sequence = context_owner(context)->n_accepted;
	CUresult result = CUDA_SUCCESS;
	while (result == CUDA_SUCCESS && !are_contexts_done(context, sequence))
		result = progress_told(failure_wait_progress(context));
	return result;
}

/* The legacy stream includes all blocking streams of its context. */
static bool is_done_until(CUstream stream, uint64_t sequence)
{
	if (stream->head && stream->head->sequence < sequence)
		return false;
	if (stream->kind != STREAM_LEGACY)
		return true;
	for (CUstream other = stream->context->streams; other; other = other->next)
		if (!(other->flags & CU_STREAM_NON_BLOCKING) && !other->is_orphan && other->head &&
		    other->head->sequence < sequence)
			return false;
	return true;
}

bool queue_is_idle(CUstream stream)
{
	return is_done_until(stream, context_owner(stream->context)->n_accepted);
}

CUresult queue_wait_stream(CUstream stream)
{
	uint64_t sequence = context_owner(stream->context)->n_accepted;
	CUresult result = CUDA_SUCCESS;
	stream_reference(stream);
	while (result == CUDA_SUCCESS && !is_done_until(stream, sequence))
		result = progress_told(failure_wait_progress(stream->context));
	stream_release(stream);
	return result;
}

CUresult queue_wait_completion(struct completion *completion, CUcontext context)
{
	CUresult result = CUDA_SUCCESS;
	completion_reference(completion);
	while (result == CUDA_SUCCESS && !completion->is_done)
		result = progress_told(failure_wait_progress(context));
	completion_release(completion);
	return result;
}

CUresult queue_unfinished(CUcontext context)
{
	failure_tell_waiter();
	CUresult code = progress_told(failure_visible(context));
	return code == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : code;
}

/* Return the last operation that a worker is running, or NULL. */
static struct operation *last_running(CUstream stream)
{
	struct operation *last = stream->is_running ? stream->head : NULL;
	for (struct operation *operation = stream->head; operation; operation = operation->next)
		if (operation->is_started && !operation->is_finished)
			last = operation;
	return last;
}

void queue_drop(CUstream stream)
{
	struct operation *kept = last_running(stream);
	struct operation *operation = kept ? kept->next : stream->head;
	if (!operation)
		return;
	while (operation) {
		struct operation *next = operation->next;
		progress_dropped(operation);
		work_release(&operation->work);
		free(operation);
		stream->n_done++;
		operation = next;
	}
	if (kept)
		kept->next = NULL;
	stream->tail = kept;
	if (!kept)
		stream->head = NULL;
	if (!kept)
		active_remove(stream);
}

/*
 * context_events.c - recording a context makes a completion with a part for each busy stream. A
 * wait of a context is a wait on each of its streams, and on each stream created later.
 */
#include "contexts/context_events.h"

#include <stdlib.h>

#include "captures/captures.h"
#include "entry.h"
#include "handles.h"
#include "run/held_waits.h"
#include "run/queue.h"
#include "work/event.h"
#include "work/work.h"
#include "work/work_run.h"

/* Call `visit` for every stream of the context, and of its green contexts if it is primary. */
static void for_each_stream(CUcontext context, void (*scope)(CUstream stream, void *data),
			    void *data)
{
	for (CUstream stream = context->streams; stream; stream = stream->next)
		scope(stream, data);
	for (CUcontext green = context->greens; green; green = green->next_green)
		if (!green->is_destroyed)
			for_each_stream(green, scope, data);
}

static void check_capture(CUstream stream, void *data)
{
	CUresult *result = data;
	if (capture_check_uncapturable(stream) != CUDA_SUCCESS)
		*result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

static CUresult check(CUcontext context, CUevent event)
{
	CUresult result = CUDA_SUCCESS;
	if (!handle_is(context, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!handle_is(event, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	for_each_stream(context, check_capture, &result);
	return result;
}

static void count_busy(CUstream stream, void *data)
{
	unsigned *count = data;
	*count += stream->head != NULL;
}

static void record_if_busy(CUstream stream, void *data)
{
	const struct work *record = data;
	if (!stream->head)
		return;
	struct work copy = work_copy(record);
	queue_submit(stream, &copy);
}

/* The last part is the legacy stream's, so that there is always at least one. */
CUresult context_record_event(CUcontext context, CUevent event)
{
	struct work record = {.kind = WORK_EVENT_RECORD, .event.event = event};
	CUresult result = check(context, event);
	unsigned n_busy = 0;
	if (result != CUDA_SUCCESS)
		return result;
	if (context_owner(event->context) != context_owner(context))
		return CUDA_ERROR_INVALID_HANDLE;
	event_reference(event);
	record.event.completion = event_start_recording(event);
	for_each_stream(context, count_busy, &n_busy);
	record.event.completion->n_parts = n_busy + 1;
	for_each_stream(context, record_if_busy, &record);
	return queue_submit(context->legacy, &record);
}

static void wait_on_stream(CUstream stream, void *data)
{
	struct work copy = work_copy(data);
	queue_submit(stream, &copy);
}

CUresult context_wait_event(CUcontext context, CUevent event)
{
	struct work wait = {.kind = WORK_EVENT_WAIT, .event.event = event};
	CUresult result = check(context, event);
	if (result == CUDA_SUCCESS)
		result = capture_check_event(event);
	if (result != CUDA_SUCCESS || !event->last)
		return result;
	wait.event.completion = event->last;
	for_each_stream(context, wait_on_stream, &wait);
	held_waits_add(context, &wait);
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)
{
	return context_record_event(hCtx, hEvent);
}

CUresult sim_cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent)
{
	return context_wait_event(hCtx, hEvent);
}

/*
 * event_calls.c - the calls that create, record and query events. A wait or synchronisation refers
 * to the event's recording at the time of the call.
 */
#include "captures/captures.h"
#include "entry.h"
#include "graphs/capture.h"
#include "handles.h"
#include "objects.h"
#include "run/queue.h"
#include "sim.h"
#include "streams/stream.h"
#include "work/event.h"
#include "work/work.h"

CUresult sim_cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
	if (!phEvent || (Flags & ~7u) ||
	    ((Flags & CU_EVENT_INTERPROCESS) && !(Flags & CU_EVENT_DISABLE_TIMING)))
		return CUDA_ERROR_INVALID_VALUE;
	CUevent event = sim_alloc(sizeof(*event));
	event->context = context_current();
	event->flags = Flags;
	event_reference(event);
	handle_add(event, HANDLE_EVENT);
	*phEvent = event;
	return CUDA_SUCCESS;
}

CUresult sim_cuEventDestroy_v2(CUevent hEvent)
{
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	handle_remove(hEvent);
	event_release(hEvent);
	return CUDA_SUCCESS;
}

CUresult sim_cuEventDestroy(CUevent hEvent)
{
	return sim_cuEventDestroy_v2(hEvent);
}

CUresult sim_cuEventRecord(CUevent hEvent, CUstream hStream)
{
	struct work work = {.kind = WORK_EVENT_RECORD, .event.event = hEvent};
	CUstream stream = NULL;
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (context_owner(stream->context) != context_owner(hEvent->context))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->capture)
		return capture_record_event(stream, hEvent);
	event_reference(hEvent);
	work.event.completion = event_start_recording(hEvent);
	return queue_submit(stream, &work);
}

/* With CU_EVENT_RECORD_EXTERNAL, a capture adds a node that records when the graph runs. */
CUresult sim_cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
	struct work work = {.kind = WORK_EVENT_RECORD, .event.event = hEvent};
	CUstream stream = NULL;
	if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!stream->capture || !(flags & CU_EVENT_RECORD_EXTERNAL))
		return sim_cuEventRecord(hEvent, hStream);
	event_reference(hEvent);
	return capture_add(stream, &work);
}

CUresult sim_cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
	struct work work = {.kind = WORK_EVENT_WAIT, .event.event = hEvent};
	CUstream stream = NULL;
	if (Flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!(Flags & CU_EVENT_WAIT_EXTERNAL) && capture_handles_wait(stream, hEvent, &result))
		return result;
	event_reference(hEvent);
	if (stream->capture)
		return capture_add(stream, &work);
	if (hEvent->last)
		work.event.completion = completion_reference(hEvent->last);
	return queue_submit(stream, &work);
}

CUresult sim_cuEventQuery(CUevent hEvent)
{
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = capture_check_event(hEvent);
	if (result != CUDA_SUCCESS)
		return result;
	return !hEvent->last || hEvent->last->is_done ? CUDA_SUCCESS
						      : queue_unfinished(hEvent->context);
}

CUresult sim_cuEventSynchronize(CUevent hEvent)
{
	if (!handle_is(hEvent, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = capture_check_event(hEvent);
	if (result != CUDA_SUCCESS || !hEvent->last)
		return result;
	return queue_wait_completion(hEvent->last, hEvent->context);
}

static CUresult check_timed(CUevent event)
{
	if (!handle_is(event, HANDLE_EVENT) || (event->flags & CU_EVENT_DISABLE_TIMING) ||
	    !event->last)
		return CUDA_ERROR_INVALID_HANDLE;
	return event->last->is_done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult sim_cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
	CUresult result = check_timed(hStart);
	if (result == CUDA_SUCCESS)
		result = check_timed(hEnd);
	if (result == CUDA_SUCCESS)
		*pMilliseconds =
			(float)((double)(int64_t)(hEnd->last->time_ns - hStart->last->time_ns) /
				1e6);
	return result;
}

CUresult sim_cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
	return sim_cuEventElapsedTime(pMilliseconds, hStart, hEnd);
}

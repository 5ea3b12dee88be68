/*
 * stream.c - create, destroy, query and synchronise streams, and host functions.
 */
#include "streams/stream.h"

#include <string.h>

#include "captures/captures.h"
#include "entry.h"
#include "graphs/capture.h"
#include "handles.h"
#include "progress/progress.h"
#include "run/active.h"
#include "run/held_waits.h"
#include "run/loading.h"
#include "run/queue.h"
#include "sim.h"
#include "streams/own_stream.h"
#include "work/work_run.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

CUstream stream_create(CUcontext context, enum stream_kind kind, unsigned flags, int priority)
{
	static uint64_t n_streams; /* guarded by sim_lock */
	CUstream stream = sim_alloc(sizeof(*stream));
	stream->context = context;
	stream->kind = kind;
	stream->flags = flags;
	stream->priority = priority;
	stream->id = ++n_streams;
	stream->next = context->streams;
	context->streams = stream;
	stream_reference(stream);
	progress_stream_begin(stream);
	handle_add(stream, HANDLE_STREAM);
	held_waits_begin(stream);
	return stream;
}

static CUstream per_thread_stream(CUcontext context)
{
	CUstream stream = own_stream_find(context);
	if (!stream) {
		stream = stream_create(context, STREAM_PER_THREAD, CU_STREAM_DEFAULT,
				       LEAST_PRIORITY);
		own_stream_add(stream);
	}
	return stream;
}

CUresult stream_resolve(CUstream handle, CUstream *out_stream)
{
	CUcontext context = context_current();
	if (!handle)
		handle = sim_thread.is_default_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
	if (handle == CU_STREAM_LEGACY)
		*out_stream = context->legacy;
	else if (handle == CU_STREAM_PER_THREAD && !context->primary)
		*out_stream = per_thread_stream(context);
	else if (handle != CU_STREAM_PER_THREAD && handle_is(handle, HANDLE_STREAM))
		*out_stream = handle;
	else
		return CUDA_ERROR_INVALID_HANDLE;
	return (*out_stream)->is_orphan ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

CUresult stream_resolve_for_work(CUstream handle, CUstream *out_stream)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(handle, &stream);
	if (result == CUDA_SUCCESS)
		result = capture_check_legacy(stream);
	if (result == CUDA_SUCCESS)
		*out_stream = stream;
	return result;
}

CUresult stream_submit(CUstream handle, struct work *work)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve_for_work(handle, &stream);
	if (result != CUDA_SUCCESS) {
		work_release(work);
		return result;
	}
	if (stream->capture)
		return capture_add(stream, work);
	loading_await();
	return queue_submit(stream, work);
}

static CUresult create(CUstream *out_stream, unsigned flags, int priority)
{
	if (!out_stream || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING))
		return CUDA_ERROR_INVALID_VALUE;
	if (priority > LEAST_PRIORITY)
		priority = LEAST_PRIORITY;
	if (priority < GREATEST_PRIORITY)
		priority = GREATEST_PRIORITY;
	*out_stream = stream_create(context_current(), STREAM_EXPLICIT, flags, priority);
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
	return create(phStream, Flags, LEAST_PRIORITY);
}

CUresult sim_cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
	return create(phStream, flags, priority);
}

CUresult sim_cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	if (leastPriority)
		*leastPriority = LEAST_PRIORITY;
	if (greatestPriority)
		*greatestPriority = GREATEST_PRIORITY;
	return CUDA_SUCCESS;
}

/* Queued work still runs, and the stream lives until it is finished. */
CUresult sim_cuStreamDestroy_v2(CUstream hStream)
{
	if (!handle_is(hStream, HANDLE_STREAM) || hStream->kind != STREAM_EXPLICIT)
		return CUDA_ERROR_INVALID_HANDLE;
	if (hStream->is_orphan)
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	capture_abandon_stream(hStream);
	handle_remove(hStream);
	stream_release(hStream);
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamDestroy(CUstream hStream)
{
	return sim_cuStreamDestroy_v2(hStream);
}

CUresult sim_cuStreamSynchronize(CUstream hStream)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result == CUDA_SUCCESS)
		result = capture_check_uncapturable(stream);
	return result == CUDA_SUCCESS ? queue_wait_stream(stream) : result;
}

CUresult sim_cuStreamQuery(CUstream hStream)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result == CUDA_SUCCESS)
		result = capture_check_uncapturable(stream);
	if (result != CUDA_SUCCESS)
		return result;
	return queue_is_idle(stream) ? CUDA_SUCCESS : queue_unfinished(stream->context);
}

CUresult sim_cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		*pctx = stream->context;
	return result;
}

CUresult sim_cuStreamGetCtx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	*pCtx = context_owner(stream->context);
	if (pGreenCtx)
		*pGreenCtx = stream->context->green;
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		*phCtx = stream->context->green;
	return result;
}

CUresult sim_cuStreamGetDevice(CUstream hStream, CUdevice *device)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		*device = stream->context->device;
	return result;
}

CUresult sim_cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		*streamId = stream->id;
	return result;
}

/* This query invalidates a capture of the stream, in every mode (H200, driver 580.159). */
CUresult sim_cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		result = capture_check_uncapturable(stream);
	if (result == CUDA_SUCCESS)
		*flags = stream->flags;
	return result;
}

CUresult sim_cuStreamGetPriority(CUstream hStream, int *priority)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result == CUDA_SUCCESS)
		*priority = stream->priority;
	return result;
}

CUresult sim_cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
				  const CUstreamAttrValue *value)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (attr >= CU_LAUNCH_ATTRIBUTE_MAX || !value)
		return CUDA_ERROR_INVALID_VALUE;
	stream->attributes[attr] = *value;
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
				  CUstreamAttrValue *value_out)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (attr >= CU_LAUNCH_ATTRIBUTE_MAX || !value_out)
		return CUDA_ERROR_INVALID_VALUE;
	*value_out = stream->attributes[attr];
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamCopyAttributes(CUstream dst, CUstream src)
{
	CUstream to = NULL;
	CUstream from = NULL;
	CUresult result = stream_resolve(dst, &to);
	if (result == CUDA_SUCCESS)
		result = stream_resolve(src, &from);
	if (result == CUDA_SUCCESS)
		memcpy(to->attributes, from->attributes, sizeof(to->attributes));
	return result;
}

CUresult sim_cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
				    unsigned int flags)
{
	struct work work = {.kind = WORK_EMPTY};
	(void)dptr;
	(void)length;
	(void)flags;
	return stream_submit(hStream, &work);
}

CUresult sim_cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
	struct work work = {.kind = WORK_HOST, .host = {.function = fn, .data = userData}};
	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	return stream_submit(hStream, &work);
}

CUresult sim_cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
				 unsigned int flags)
{
	struct work work = {.kind = WORK_HOST,
			    .host = {.callback = callback, .stream = hStream, .data = userData}};
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!callback || flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	result = capture_check_uncapturable(stream); /* only cuLaunchHostFunc can be captured */
	return result == CUDA_SUCCESS ? stream_submit(hStream, &work) : result;
}

/*
 * context.c - contexts and the calling thread's stack of them.
 */
#include "contexts/context.h"

#include <stdlib.h>
#include <string.h>

#include "addresses/memory.h"
#include "coredump/coredump.h"
#include "coredump/event_thread.h"
#include "entry.h"
#include "failure/failure.h"
#include "graphs/capture.h"
#include "handles.h"
#include "progress/progress.h"
#include "run/active.h"
#include "run/queue.h"
#include "sim.h"
#include "streams/own_stream.h"
#include "streams/stream.h"

#define FLAGS_MASK 0x1ffu

static CUcontext make(CUdevice device, unsigned flags, bool is_primary, CUcontext primary)
{
	static uint64_t n_contexts; /* guarded by sim_lock */
	CUcontext context = sim_alloc(CONTEXT_BYTES);
	*context = (struct CUctx_st){.device = device,
				     .flags = flags,
				     .is_primary = is_primary,
				     .primary = primary,
				     .api_version = 3020,
				     .id = ++n_contexts};
	context->limits[CU_LIMIT_STACK_SIZE] = 1024;
	context->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = (size_t)1 << 20;
	context->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = (size_t)8 << 20;
	progress_begin(context);
	context->legacy = stream_create(context, STREAM_LEGACY, CU_STREAM_DEFAULT, 0);
	handle_add(context, HANDLE_CONTEXT);
	if (coredump_is_on())
		event_thread_start();
	return context;
}

CUcontext context_create(CUdevice device, unsigned flags, bool is_primary)
{
	return make(device, flags, is_primary, NULL);
}

static CUcontext find_dead_green(CUcontext primary)
{
	CUcontext green = primary->greens;
	while (green && !green->is_destroyed)
		green = green->next_green;
	return green;
}

void context_revive(CUcontext context)
{
	static uint64_t n_revived; /* guarded by sim_lock */
	context->is_destroyed = false;
	context->id = UINT64_C(1) << 32 | ++n_revived;
	context->greens = NULL;
	progress_begin(context);
	context->legacy = stream_create(context, STREAM_LEGACY, CU_STREAM_DEFAULT, 0);
	handle_add(context, HANDLE_CONTEXT);
}

CUcontext context_create_green(CUcontext primary)
{
	CUcontext green = find_dead_green(primary);
	if (green) {
		context_revive(green);
		return green;
	}
	green = make(primary->device, primary->flags, false, primary);
	green->next_green = primary->greens;
	primary->greens = green;
	return green;
}

void context_destroy_green(CUcontext context)
{
	for (CUstream stream = context->streams; stream; stream = stream->next) {
		capture_abandon_stream(stream);
		stream->is_orphan = true;
		if (!stream->head)
			progress_stream_end(stream);
	}
	handle_remove(context);
	progress_end(context);
	context->is_destroyed = true;
}

static void destroy_streams(CUcontext context)
{
	CUstream stream = context->streams;
	while (stream) {
		CUstream next = stream->next;
		own_stream_forget(stream);
		stream_reference(stream); /* dropping may release the last reference */
		capture_abandon_stream(stream);
		queue_drop(stream);
		if (handle_is(stream, HANDLE_STREAM)) {
			handle_remove(stream);
			stream_release(stream);
		}
		stream_release(stream);
		stream = next;
	}
}

static void destroy_greens(CUcontext primary)
{
	for (CUcontext green = primary->greens; green; green = green->next_green) {
		if (!green->is_destroyed)
			context_destroy_green(green);
		queue_wait_context(green);
		destroy_streams(green);
	}
}

/* Mark the context first, so that other threads cannot submit more work to wait for. */
void context_destroy(CUcontext context)
{
	context->is_destroyed = true;
	queue_wait_context(context);
	destroy_greens(context);
	destroy_streams(context);
	progress_end(context);
	memory_free_context(context);
	handle_remove(context);
	failure_forget(context);
}

static void free_stack(void *unused)
{
	(void)unused;
	free(sim_thread.contexts);
	sim_thread.contexts = NULL;
	sim_thread.n_contexts = sim_thread.capacity = 0;
}

static pthread_key_t stack_key;

static void create_key(void)
{
	pthread_key_create(&stack_key, free_stack);
}

static void push(CUcontext context)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct sim_thread *thread = &sim_thread;
	pthread_once(&once, create_key);
	if (thread->n_contexts == thread->capacity) {
		CUcontext *old = thread->contexts;
		thread->capacity = thread->capacity ? thread->capacity * 2 : 4;
		thread->contexts = sim_alloc(thread->capacity * sizeof(*old));
		if (old)
			memcpy(thread->contexts, old, thread->n_contexts * sizeof(*old));
		free(old);
		pthread_setspecific(stack_key, thread);
	}
	thread->contexts[thread->n_contexts++] = context;
}

static CUresult create(CUcontext *out_context, unsigned flags, CUdevice device,
		       unsigned api_version)
{
	if (!out_context || (flags & ~FLAGS_MASK))
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*out_context = context_create(device, flags, false);
	(*out_context)->api_version = api_version;
	push(*out_context);
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
	return create(pctx, flags, dev, 3010);
}

CUresult sim_cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
	return create(pctx, flags, dev, 3020);
}

CUresult sim_cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
			    unsigned int flags, CUdevice dev)
{
	(void)paramsArray;
	return numParams ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : create(pctx, flags, dev, 3030);
}

CUresult sim_cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags,
			    CUdevice dev)
{
	if (ctxCreateParams && ctxCreateParams->numExecAffinityParams)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	return create(pctx, flags, dev, 3030);
}

static void pop(void)
{
	sim_thread.n_contexts--;
}

CUresult sim_cuCtxDestroy_v2(CUcontext ctx)
{
	if (!handle_is(ctx, HANDLE_CONTEXT) || ctx->is_primary || ctx->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context_current() == ctx)
		pop();
	context_destroy(ctx);
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxDestroy(CUcontext ctx)
{
	return sim_cuCtxDestroy_v2(ctx);
}

CUresult sim_cuCtxDetach(CUcontext ctx)
{
	return sim_cuCtxDestroy_v2(ctx);
}

CUresult sim_cuCtxPushCurrent_v2(CUcontext ctx)
{
	if (!ctx)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(ctx, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	push(ctx);
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxPushCurrent(CUcontext ctx)
{
	return sim_cuCtxPushCurrent_v2(ctx);
}

CUresult sim_cuCtxPopCurrent_v2(CUcontext *pctx)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (pctx)
		*pctx = context_current();
	pop();
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxPopCurrent(CUcontext *pctx)
{
	return sim_cuCtxPopCurrent_v2(pctx);
}

/* Replace the top of the stack; NULL only removes it. */
CUresult sim_cuCtxSetCurrent(CUcontext ctx)
{
	if (ctx && !handle_is(ctx, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (sim_thread.n_contexts)
		pop();
	if (ctx)
		push(ctx);
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetCurrent(CUcontext *pctx)
{
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	*pctx = context_current();
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetDevice(CUdevice *device)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = context_current()->device;
	return CUDA_SUCCESS;
}

static CUcontext given_or_current(CUcontext context)
{
	if (!context)
		return context_current();
	return handle_is(context, HANDLE_CONTEXT) ? context : NULL;
}

CUresult sim_cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
	CUcontext context = given_or_current(ctx);
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	*device = context->device;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
	CUcontext context = given_or_current(ctx);
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	*ctxId = context->id;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	CUcontext context = given_or_current(ctx);
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = context->api_version;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetFlags(unsigned int *flags)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	*flags = context_current()->flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxSetFlags(unsigned int flags)
{
	if (flags & ~FLAGS_MASK)
		return CUDA_ERROR_INVALID_VALUE;
	context_current()->flags = flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxSynchronize_v2(CUcontext ctx)
{
	CUcontext context = given_or_current(ctx);
	return context ? queue_wait_context(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult sim_cuCtxSynchronize(void)
{
	return queue_wait_context(context_current());
}

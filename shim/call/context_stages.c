/*
 * context_stages.c - follow contexts through the calls: explicit, primary and green ones.
 */
#include "call/call_parts.h"

#include <unistd.h>

#include "check/check.h"
#include "record/checkpoint.h"
#include "record/context_end.h"
#include "record/driver/driver.h"
#include "record/green_contexts.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/streams/contexts.h"
#include "record/thread.h"

enum { MAX_DEVICES = 128 };

/* The retained context of each device: release and reset name the device. Atomic. */
static CUcontext primary_contexts[MAX_DEVICES];

static CUcontext *primary_context(CUdevice device)
{
	return device >= 0 && device < MAX_DEVICES ? &primary_contexts[device] : NULL;
}

/* True for this process: the driver reports nothing about another one. */
static bool is_own_checkpoint(const struct call *call)
{
	return CALL_ARGUMENTS(call, cuCheckpointProcessCheckpoint)->pid == getpid();
}

void context_before(struct call *call)
{
	switch (call_family(call)) {
	case CALL_cuCheckpointProcessCheckpoint:
		if (is_own_checkpoint(call))
			checkpoint_begins();
		break;
	case CALL_cuCtxDestroy:
	case CALL_cuCtxDestroy_v2:
	case CALL_cuCtxDetach:
		call->context = CALL_ARGUMENTS(call, cuCtxDestroy_v2)->ctx;
		break;
	case CALL_cuDevicePrimaryCtxRelease:
	case CALL_cuDevicePrimaryCtxRelease_v2:
	case CALL_cuDevicePrimaryCtxReset:
	case CALL_cuDevicePrimaryCtxReset_v2: {
		CUcontext *primary =
			primary_context(CALL_ARGUMENTS(call, cuDevicePrimaryCtxReset_v2)->dev);
		call->context = primary ? __atomic_load_n(primary, __ATOMIC_RELAXED) : NULL;
		break;
	}
	case CALL_cuGreenCtxDestroy:
		call->context =
			green_contexts_handle(CALL_ARGUMENTS(call, cuGreenCtxDestroy)->hCtx);
		break;
	default:
		break;
	}
	/* A context's functions go with it: see object_module_before(). */
	if (call->context) {
		grace_arrive(&call->thread->coming);
		functions_unloaded();
		images_context_ending(context_ending(call->context, call->thread->tid));
	}
}

/* True if the context ended: release and detach end it only with its last user. */
static bool has_ended(const struct call *call)
{
	int is_active = 0;
	unsigned int version = 0;
	unsigned int flags = 0;
	switch (call_family(call)) {
	case CALL_cuDevicePrimaryCtxRelease:
	case CALL_cuDevicePrimaryCtxRelease_v2:
		(void)real.cuDevicePrimaryCtxGetState(
			CALL_ARGUMENTS(call, cuDevicePrimaryCtxRelease_v2)->dev, &flags,
			&is_active);
		return !is_active;
	case CALL_cuCtxDetach:
		return real.cuCtxGetApiVersion(call->context, &version) != CUDA_SUCCESS;
	default:
		return true;
	}
}

static void forget_context(const struct call *call, CUcontext handle)
{
	check_forget_context(handle);
	memory_context_ended(call, context_end(handle, call->thread->tid));
}

/* Forget a green context, and its primary one if the green context was its last user. */
static void forget_green(const struct call *call)
{
	const struct context *context = contexts_known(call->context);
	const struct context *primary = context ? context->primary : NULL;
	int is_active = 1;
	green_contexts_forget(CALL_ARGUMENTS(call, cuGreenCtxDestroy)->hCtx);
	forget_context(call, call->context);
	unsigned int flags = 0;
	if (primary)
		(void)real.cuDevicePrimaryCtxGetState(primary->device, &flags, &is_active);
	if (!is_active)
		forget_context(call, primary->handle);
}

/* Note the context that the call has made known, or ended. */
static void follow_context(const struct call *call)
{
	if (call_family(call) == CALL_cuGreenCtxCreate) {
		const struct args_cuGreenCtxCreate *args = call->args;
		green_contexts_created(*args->phCtx, args->dev, call->thread->tid);
	} else if (call_family(call) == CALL_cuGreenCtxDestroy && call->context) {
		forget_green(call);
	} else if (call->context && has_ended(call)) {
		forget_context(call, call->context);
	}
}

static void follow_success(const struct call *call)
{
	if (call_family(call) == CALL_cuDevicePrimaryCtxRetain) {
		const struct args_cuDevicePrimaryCtxRetain *args = call->args;
		CUcontext *primary = primary_context(args->dev);
		if (primary)
			__atomic_store_n(primary, *args->pctx, __ATOMIC_RELAXED);
	}
	follow_context(call);
}

/* Follow a checkpoint call. False: the call is about something else. */
static bool follow_checkpoint(const struct call *call, CUresult result)
{
	switch (call_family(call)) {
	case CALL_cuCheckpointProcessLock:
	case CALL_cuCheckpointProcessUnlock:
		if (result == CUDA_SUCCESS && is_own_checkpoint(call))
			checkpoint_locked(call_family(call) == CALL_cuCheckpointProcessLock);
		return true;
	case CALL_cuCheckpointProcessCheckpoint:
		if (is_own_checkpoint(call))
			checkpoint_finished(result == CUDA_SUCCESS);
		return true;
	case CALL_cuCheckpointProcessRestore:
		return true;
	default:
		return false;
	}
}

/*
 * Return the current context. After a call that ended one, do not prepare it: a primary context
 * that was reset is still current, and anything made in it would start it again.
 */
static struct context *current_after(const struct call *call)
{
	return call->context ? contexts_current() : prepare_current_context();
}

void context_after(struct call *call, CUresult result)
{
	if (follow_checkpoint(call, result))
		return;
	/* Kernels that another thread launched during the call may have been destroyed with it. */
	if (call->context)
		functions_unloaded();
	if (result == CUDA_SUCCESS)
		follow_success(call);
	context_not_ended(call->context);
	if (result == CUDA_SUCCESS)
		pycuda_context_call(call, current_after(call));
}

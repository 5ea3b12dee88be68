/*
 * objects.c - keeps the recorder's knowledge of the application's objects up to date.
 */
#include "objects.h"

#include <stdbool.h>
#include <string.h>

#include "call_names.h"
#include "captures.h"
#include "contexts.h"
#include "describe.h"
#include "driver.h"
#include "events.h"
#include "failure.h"
#include "functions.h"
#include "graph_markers.h"
#include "graph_stages.h"
#include "green_contexts.h"
#include "markers.h"
#include "pycuda.h"
#include "ranges.h"
#include "stack.h"
#include "streams.h"
#include "submission.h"
#include "thread.h"

#define ARGUMENTS(call, name) ((const struct args_##name *)(call)->args)

enum { MAX_DEVICES = 128 };

/* Of each device, as retained: release and reset name the device. Atomic. */
static CUcontext primary_contexts[MAX_DEVICES];

static enum driver_call family_of(const struct call *call)
{
	return driver_calls[call->id].family;
}

/* Where a context shows itself outside a launch, what its markers need is made. */
static struct context *prepare(struct context *context)
{
	bool are_wanted = markers_are_wanted() || graph_markers_interval() > 0;
	if (context && are_wanted && !failure_has_happened())
		contexts_prepare_markers(context);
	return context;
}

static struct context *prepare_context(void)
{
	return prepare(contexts_current());
}

static struct range_origin origin_of(const struct call *call, const struct context *context)
{
	return (struct range_origin){
		.call = call_name_id(call->id),
		.stack = stack_capture(call->thread, call->frame),
		.context = context ? contexts_memory_id(context) : 0,
		.sequence = submission_newest(),
	};
}

/* The bytes behind an address that came without a size. */
static uint64_t size_at(CUdeviceptr address)
{
	CUdeviceptr base;
	size_t size = 0;
	if (real.cuMemGetAddressRange_v2(&base, &size, address) != CUDA_SUCCESS)
		return 0;
	return base + size - address;
}

struct memory_range {
	uint64_t start, size;
};

/* What a successful allocation made; the 32-bit calls of before CUDA 3.2 are not followed. */
static struct memory_range allocated_range(const struct call *call)
{
#define RANGE(name, start, bytes)                                         \
	case CALL_##name: {                                               \
		const struct args_##name *args = call->args;              \
		return (struct memory_range){(uint64_t)(start), (bytes)}; \
	}
	switch (family_of(call)) {
		RANGE(cuMemAlloc_v2, *args->dptr, args->bytesize)
		RANGE(cuMemAllocManaged, *args->dptr, args->bytesize)
		RANGE(cuMemAllocAsync, *args->dptr, args->bytesize)
		RANGE(cuMemAllocFromPoolAsync, *args->dptr, args->bytesize)
		RANGE(cuMemAllocPitch_v2, *args->dptr, args->Height * *args->pPitch)
		RANGE(cuMemAllocHost_v2, *args->pp, args->bytesize)
		RANGE(cuMemHostAlloc, *args->pp, args->bytesize)
		RANGE(cuMemHostRegister_v2, args->p, args->bytesize)
		RANGE(cuMemMap, args->ptr, args->size)
		RANGE(cuIpcOpenMemHandle_v2, *args->pdptr, size_at(*args->pdptr))
		RANGE(cuMemPoolImportPointer, *args->ptr_out, size_at(*args->ptr_out))
		RANGE(cuExternalMemoryGetMappedBuffer, *args->devPtr, args->bufferDesc->size)
	default:
		return (struct memory_range){0};
	}
#undef RANGE
}

void alloc_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS)
		return;
	const struct context *context = prepare_context();
	struct memory_range range = allocated_range(call);
	struct range_origin origin = origin_of(call, context);
	ranges_add(range.start, range.size, &origin);
}

static uint64_t freed_address(const struct call *call)
{
	switch (family_of(call)) {
	case CALL_cuMemFree_v2:
		return ARGUMENTS(call, cuMemFree_v2)->dptr;
	case CALL_cuMemFreeAsync:
		return ARGUMENTS(call, cuMemFreeAsync)->dptr;
	case CALL_cuMemFreeHost:
		return (uintptr_t)ARGUMENTS(call, cuMemFreeHost)->p;
	case CALL_cuMemHostUnregister:
		return (uintptr_t)ARGUMENTS(call, cuMemHostUnregister)->p;
	case CALL_cuMemUnmap:
		return ARGUMENTS(call, cuMemUnmap)->ptr;
	case CALL_cuIpcCloseMemHandle:
		return ARGUMENTS(call, cuIpcCloseMemHandle)->dptr;
	default:
		return 0;
	}
}

/* Before the driver frees it: afterwards the address may at once be another thread's. */
void free_before(struct call *call)
{
	if (failure_has_happened())
		return;
	struct range_origin origin = origin_of(call, NULL);
	ranges_remove(freed_address(call), &origin);
}

static bool is_stream_creation(const struct call *call)
{
	enum driver_call family = family_of(call);
	return family == CALL_cuStreamCreate || family == CALL_cuStreamCreateWithPriority ||
	       family == CALL_cuGreenCtxStreamCreate;
}

/* Where the new object lives: a green context need not be current to get a stream. */
static struct context *context_of_creation(const struct call *call)
{
	if (family_of(call) != CALL_cuGreenCtxStreamCreate)
		return contexts_current();
	return contexts_known(
		green_contexts_handle(ARGUMENTS(call, cuGreenCtxStreamCreate)->greenCtx));
}

void create_after(struct call *call, CUresult result)
{
	if (family_of(call) == CALL_cuIpcOpenEventHandle)
		events_distrust();
	if (result != CUDA_SUCCESS)
		return;
	/* The handle may be that of an event which went with its context. */
	if (family_of(call) == CALL_cuEventCreate)
		events_forgotten(*ARGUMENTS(call, cuEventCreate)->phEvent);
	struct context *context = prepare(context_of_creation(call));
	if (context && is_stream_creation(call) && markers_are_wanted())
		contexts_grow_markers(context);
}

/* As free_before: a destroyed handle may come back at once. */
void cleanup_before(struct call *call)
{
	switch (family_of(call)) {
	case CALL_cuStreamDestroy:
	case CALL_cuStreamDestroy_v2:
		streams_destroyed(ARGUMENTS(call, cuStreamDestroy_v2)->hStream);
		break;
	case CALL_cuEventDestroy:
	case CALL_cuEventDestroy_v2:
		events_forgotten(ARGUMENTS(call, cuEventDestroy_v2)->hEvent);
		break;
	case CALL_cuGraphExecDestroy:
	case CALL_cuGraphDestroy:
		graph_destroy_before(call);
		break;
	default:
		break;
	}
}

static CUcontext *primary_context(CUdevice device)
{
	return device >= 0 && device < MAX_DEVICES ? &primary_contexts[device] : NULL;
}

/* The context that this call may end. */
void context_before(struct call *call)
{
	switch (family_of(call)) {
	case CALL_cuCtxDestroy:
	case CALL_cuCtxDestroy_v2:
	case CALL_cuCtxDetach:
		call->context = ARGUMENTS(call, cuCtxDestroy_v2)->ctx;
		break;
	case CALL_cuDevicePrimaryCtxRelease:
	case CALL_cuDevicePrimaryCtxRelease_v2:
	case CALL_cuDevicePrimaryCtxReset:
	case CALL_cuDevicePrimaryCtxReset_v2: {
		CUcontext *primary =
			primary_context(ARGUMENTS(call, cuDevicePrimaryCtxReset_v2)->dev);
		call->context = primary ? __atomic_load_n(primary, __ATOMIC_RELAXED) : NULL;
		break;
	}
	case CALL_cuGreenCtxDestroy:
		call->context = green_contexts_handle(ARGUMENTS(call, cuGreenCtxDestroy)->hCtx);
		break;
	default:
		break;
	}
	/* As module_before. */
	if (call->context)
		functions_unloaded();
}

/* Releasing and detaching end a context only with its last user. */
static bool has_ended(const struct call *call)
{
	unsigned int version, flags;
	int is_active = 0;
	switch (family_of(call)) {
	case CALL_cuDevicePrimaryCtxRelease:
	case CALL_cuDevicePrimaryCtxRelease_v2:
		(void)real.cuDevicePrimaryCtxGetState(
			ARGUMENTS(call, cuDevicePrimaryCtxRelease_v2)->dev, &flags, &is_active);
		return !is_active;
	case CALL_cuCtxDetach:
		return real.cuCtxGetApiVersion(call->context, &version) != CUDA_SUCCESS;
	default:
		return true;
	}
}

/* With it went its memory. */
static void forget_context(const struct call *call, CUcontext handle)
{
	uint32_t context = contexts_destroyed(handle);
	struct range_origin origin = origin_of(call, NULL);
	if (!failure_has_happened()) /* The verdict speaks of the memory as it was then. */
		ranges_context_destroyed(context, &origin);
}

/* The last user of a primary context may have been a green one. */
static void forget_green(const struct call *call)
{
	const struct context *context = contexts_known(call->context);
	const struct context *primary = context ? context->primary : NULL;
	unsigned int flags;
	int is_active = 1;
	green_contexts_forget(ARGUMENTS(call, cuGreenCtxDestroy)->hCtx);
	forget_context(call, call->context);
	if (primary)
		(void)real.cuDevicePrimaryCtxGetState(primary->device, &flags, &is_active);
	if (!is_active)
		forget_context(call, primary->handle);
}

/* What the call has made known, or ended. */
static void follow_context(const struct call *call)
{
	if (family_of(call) == CALL_cuGreenCtxCreate) {
		const struct args_cuGreenCtxCreate *args = call->args;
		green_contexts_created(*args->phCtx, args->dev);
	} else if (family_of(call) == CALL_cuGreenCtxDestroy && call->context) {
		forget_green(call);
	} else if (call->context && has_ended(call)) {
		forget_context(call, call->context);
	}
}

void context_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS)
		return;
	if (family_of(call) == CALL_cuDevicePrimaryCtxRetain) {
		const struct args_cuDevicePrimaryCtxRetain *args = call->args;
		CUcontext *primary = primary_context(args->dev);
		if (primary)
			__atomic_store_n(primary, *args->pctx, __ATOMIC_RELAXED);
	}
	follow_context(call);
	pycuda_context_call(call, prepare_context());
}

/* Makes the stream known while it can still be asked about: see streams.c. */
void capture_before(struct call *call)
{
	if (driver_calls[call->id].stream_offset != NO_STREAM_ARGUMENT)
		(void)streams_of(call->thread, describe_stream(call),
				 driver_calls[call->id].is_default_per_thread);
}

void capture_after(struct call *call, CUresult result)
{
	switch (family_of(call)) {
	case CALL_cuStreamBeginCapture:
	case CALL_cuStreamBeginCapture_v2:
	case CALL_cuStreamBeginCaptureToGraph:
		if (result == CUDA_SUCCESS)
			captures_begun();
		break;
	case CALL_cuStreamEndCapture:
		/* Also when it fails: an invalidated capture ends here. */
		captures_ended();
		break;
	default:
		if (result == CUDA_SUCCESS)
			graph_instantiated(call);
		break;
	}
}

/* As cleanup_before: another thread may get the handles of these functions for its own. */
void module_before(struct call *call)
{
	if (driver_calls[call->id].is_cleanup)
		functions_unloaded();
}

void module_after(struct call *call, CUresult result)
{
	if (result == CUDA_SUCCESS && !driver_calls[call->id].is_cleanup)
		(void)prepare_context();
}

void lookup_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS)
		return;
	if (family_of(call) == CALL_cuModuleGetFunction) {
		const struct args_cuModuleGetFunction *args = call->args;
		functions_named(*args->hfunc, args->name);
	} else if (family_of(call) == CALL_cuLibraryGetKernel) {
		const struct args_cuLibraryGetKernel *args = call->args;
		functions_named(*args->pKernel, args->name);
	}
}

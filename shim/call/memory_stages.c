/*
 * memory_stages.c - the range that a call means: made by its arguments, freed by its address.
 */
#include "call/call_parts.h"

#include "base/failure_class.h"
#include "call/describe.h"
#include "check/argument_ranges.h"
#include "failure/failure.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/fault/fault.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/objects/ranges.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/thread.h"
#include "rejection/exhaustion.h"
#include "rejection/rejected_line.h"

static struct range_origin origin_of(const struct call *call, const struct context *context)
{
	return (struct range_origin){
		.call = call_name_id(call->id),
		.stack = stack_capture(&call->thread->stacks, call->frame),
		.context = context ? contexts_memory_id(context) : 0,
		.tid = call->thread->tid,
		.time_ns = tick_clock_ns(&call->thread->clock),
		.sequence = sequence_newest(),
	};
}

/* Return the bytes from an address that came without a size to the end of its allocation. */
static uint64_t size_at(CUdeviceptr address)
{
	size_t size = 0;
	CUdeviceptr base = 0;
	if (real.cuMemGetAddressRange_v2(&base, &size, address) != CUDA_SUCCESS)
		return 0;
	return base + size - address;
}

/* Return the bytes of an array's elements, without the driver's padding. */
static uint64_t array_bytes(const CUDA_ARRAY3D_DESCRIPTOR *array)
{
	static const uint8_t element_bytes[] = {
		[CU_AD_FORMAT_UNSIGNED_INT8] = 1,  [CU_AD_FORMAT_SIGNED_INT8] = 1,
		[CU_AD_FORMAT_UNSIGNED_INT16] = 2, [CU_AD_FORMAT_SIGNED_INT16] = 2,
		[CU_AD_FORMAT_HALF] = 2,           [CU_AD_FORMAT_UNSIGNED_INT32] = 4,
		[CU_AD_FORMAT_SIGNED_INT32] = 4,   [CU_AD_FORMAT_FLOAT] = 4,
	};
	uint64_t bytes = (size_t)array->Format < sizeof(element_bytes)
				 ? element_bytes[array->Format]
				 : 0; /* the size of another format is unknown */
	return bytes * array->NumChannels * array->Width * (array->Height ? array->Height : 1) *
	       (array->Depth ? array->Depth : 1);
}

static uint64_t flat_array_bytes(const CUDA_ARRAY_DESCRIPTOR *array)
{
	return array_bytes(&(CUDA_ARRAY3D_DESCRIPTOR){.Width = array->Width,
						      .Height = array->Height,
						      .Format = array->Format,
						      .NumChannels = array->NumChannels});
}

/* Sum the levels: each has half the width, height and depth of the one before. */
static uint64_t mipmap_bytes(CUDA_ARRAY3D_DESCRIPTOR array, unsigned n_levels)
{
	uint64_t bytes = 0;
	for (unsigned level = 0; level < n_levels && level < 32; level++) {
		bytes += array_bytes(&array);
		array.Width = array.Width > 1 ? array.Width / 2 : 1;
		array.Height /= array.Height > 1 ? 2 : 1;
		array.Depth /= array.Depth > 1 ? 2 : 1;
	}
	return bytes;
}

static uint16_t host_flags(unsigned flags, bool is_registered)
{
	unsigned known = RANGE_PORTABLE | RANGE_DEVICE_MAP;
	known |= is_registered ? RANGE_READ_ONLY : RANGE_WRITE_COMBINED;
	static_assert(CU_MEMHOSTALLOC_PORTABLE == RANGE_PORTABLE, "the driver's bits");
	static_assert(CU_MEMHOSTALLOC_DEVICEMAP == RANGE_DEVICE_MAP, "as above");
	static_assert(CU_MEMHOSTALLOC_WRITECOMBINED == RANGE_WRITE_COMBINED, "as above");
	static_assert(CU_MEMHOSTREGISTER_PORTABLE == RANGE_PORTABLE, "as above");
	static_assert(CU_MEMHOSTREGISTER_DEVICEMAP == RANGE_DEVICE_MAP, "as above");
	static_assert(CU_MEMHOSTREGISTER_READ_ONLY == RANGE_READ_ONLY, "as above");
	return (uint16_t)(flags & known);
}

static uint16_t device_flags(const struct CUmemLocation_st *location, uint8_t *out_device)
{
	if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id < 0 ||
	    location->id > UINT8_MAX)
		return 0;
	*out_device = (uint8_t)location->id;
	return RANGE_DEVICE_KNOWN;
}

/* Return the shape of kinds whose start is a handle, and of reserved addresses. */
static struct range_shape object_shape(const struct call *call)
{
#define SHAPE(name, kind_, start_, bytes)                                                     \
	case CALL_##name: {                                                                   \
		const struct args_##name *args = call->args;                                  \
		return (struct range_shape){                                                  \
			.kind = RANGE_##kind_, .start = (uint64_t)(start_), .size = (bytes)}; \
	}
	switch (call_family(call)) {
		SHAPE(cuArrayCreate_v2, ARRAY, *args->pHandle,
		      flat_array_bytes(args->pAllocateArray))
		SHAPE(cuArray3DCreate_v2, ARRAY, *args->pHandle, array_bytes(args->pAllocateArray))
		SHAPE(cuMipmappedArrayCreate, MIPMAP, *args->pHandle,
		      mipmap_bytes(*args->pMipmappedArrayDesc, args->numMipmapLevels))
		SHAPE(cuMemAddressReserve, RESERVED, *args->ptr, args->size)
		SHAPE(cuMemImportFromShareableHandle, PHYSICAL, *args->handle, 0)
	case CALL_cuMemCreate: {
		const struct args_cuMemCreate *args = call->args;
		struct range_shape shape = {
			.kind = RANGE_PHYSICAL, .start = *args->handle, .size = args->size};
		shape.flags = device_flags(&args->prop->location, &shape.device);
		return shape;
	}
	default:
		return (struct range_shape){0};
	}
}

/* Return the range of a successful allocation. 32-bit calls from before CUDA 3.2 are ignored. */
static struct range_shape allocated_shape(const struct call *call)
{
	switch (call_family(call)) {
		SHAPE(cuMemAlloc_v2, DEVICE, *args->dptr, args->bytesize)
		SHAPE(cuMemAllocManaged, MANAGED, *args->dptr, args->bytesize)
		SHAPE(cuMemAllocAsync, ORDERED, *args->dptr, args->bytesize)
		SHAPE(cuMemAllocFromPoolAsync, ORDERED, *args->dptr, args->bytesize)
		SHAPE(cuMemAllocPitch_v2, PITCHED, *args->dptr, args->Height * *args->pPitch)
		SHAPE(cuMemAllocHost_v2, HOST, *args->pp, args->bytesize)
		SHAPE(cuMemHostAlloc, HOST, *args->pp, args->bytesize)
		SHAPE(cuMemHostRegister_v2, REGISTERED, args->p, args->bytesize)
		SHAPE(cuMemMap, MAPPED, args->ptr, args->size)
		SHAPE(cuIpcOpenMemHandle_v2, IPC, *args->pdptr, size_at(*args->pdptr))
		SHAPE(cuMemPoolImportPointer, IPC, *args->ptr_out, size_at(*args->ptr_out))
		SHAPE(cuExternalMemoryGetMappedBuffer, IMPORTED, *args->devPtr,
		      args->bufferDesc->size)
	default:
		return object_shape(call);
	}
#undef SHAPE
}

/* Return the id of the call's stream; 0 if it is unknown. Call it on the way into the driver. */
static uint32_t stream_id(struct call *call)
{
	const struct stream *stream = streams_of(&call->thread->streams, describe_stream(call),
						 driver_calls[call->id].is_default_per_thread);
	return stream ? stream->id : 0;
}

/* Add the stream of stream-ordered memory, and whether a graph will allocate it. */
static void add_stream(struct call *call, struct range_shape *shape)
{
	grace_come(&call->thread->coming); /* The driver may be asked about the stream. */
	shape->stream = stream_id(call);
	grace_arrive(&call->thread->coming);
	if (call_family(call) == CALL_cuMemAllocFromPoolAsync)
		shape->flags |= RANGE_FROM_POOL;
	if (captures_stream(describe_stream(call)))
		shape->kind = RANGE_GRAPH;
}

/* Add details that the kind does not determine. */
static void add_details(struct call *call, struct range_shape *shape)
{
	if (shape->kind == RANGE_ORDERED)
		add_stream(call, shape);
	else if (call_family(call) == CALL_cuMemHostAlloc)
		shape->flags = host_flags(CALL_ARGUMENTS(call, cuMemHostAlloc)->Flags, false);
	else if (shape->kind == RANGE_REGISTERED)
		shape->flags = host_flags(CALL_ARGUMENTS(call, cuMemHostRegister_v2)->Flags, true);
	else if (shape->kind == RANGE_MAPPED)
		shape->parent = CALL_ARGUMENTS(call, cuMemMap)->handle;
}

/* Join the rights of all devices: the journal does not distinguish devices. */
static void grant_access(const struct args_cuMemSetAccess *args)
{
	uint16_t access = 0;
	for (size_t i = 0; i < args->count; i++) {
		if (args->desc[i].flags & CU_MEM_ACCESS_FLAGS_PROT_READ)
			access |= RANGE_CAN_READ;
		if (args->desc[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
			access |= RANGE_CAN_WRITE;
	}
	ranges_grant(args->ptr, args->size, access);
}

/* Return the bytes requested from a device by a failed allocation; 0: unknown, or another call. */
static uint64_t rejected_bytes(const struct call *call)
{
#define REFUSED(name, bytes)                                 \
	case CALL_##name: {                                  \
		const struct args_##name *args = call->args; \
		return (bytes);                              \
	}
	switch (call_family(call)) {
		REFUSED(cuMemAlloc_v2, args->bytesize)
		REFUSED(cuMemAllocManaged, args->bytesize)
		REFUSED(cuMemAllocAsync, args->bytesize)
		REFUSED(cuMemAllocFromPoolAsync, args->bytesize)
		REFUSED(cuMemAllocPitch_v2, args->WidthInBytes * args->Height)
		/* For another location, host memory has run out. */
		REFUSED(cuMemCreate,
			args->prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE ? args->size : 0)
	default:
		return 0;
	}
#undef REFUSED
}

/* Return the device's ordinal; -1: the current context's device. */
static int rejected_device(const struct call *call)
{
	if (call_family(call) != CALL_cuMemCreate)
		return -1;
	return CALL_ARGUMENTS(call, cuMemCreate)->prop->location.id;
}

static void note_refused(const struct call *call)
{
	uint64_t bytes = rejected_bytes(call);
	if (bytes == 0 || failure_has_happened())
		return;
	struct range_origin origin = origin_of(call, NULL);
	exhaustion_note_rejected(bytes, rejected_device(call), &origin);
}

static void explain_rejected(const struct call *call, CUresult result)
{
	if (result == CUDA_ERROR_OUT_OF_MEMORY)
		note_refused(call);
	if (result != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED ||
	    call_family(call) != CALL_cuMemHostRegister_v2)
		return;
	const struct args_cuMemHostRegister_v2 *args = call->args;
	const struct rejected_call rejected = rejection_of(call, result);
	rejected_host_register(&rejected, (uintptr_t)args->p, args->bytesize);
}

/* True if the call gave the program a pool of managed memory. */
static bool is_managed_pool(const struct call *call)
{
	switch (call_family(call)) {
	case CALL_cuMemPoolCreate:
		return CALL_ARGUMENTS(call, cuMemPoolCreate)->poolProps->allocType ==
		       CU_MEM_ALLOCATION_TYPE_MANAGED;
	case CALL_cuMemGetDefaultMemPool:
		return CALL_ARGUMENTS(call, cuMemGetDefaultMemPool)->type ==
		       CU_MEM_ALLOCATION_TYPE_MANAGED;
	case CALL_cuMemGetMemPool:
		return CALL_ARGUMENTS(call, cuMemGetMemPool)->type ==
		       CU_MEM_ALLOCATION_TYPE_MANAGED;
	default:
		return false;
	}
}

void memory_pool_after(const struct call *call)
{
	if (is_managed_pool(call))
		fault_managed_memory();
}

void memory_alloc_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS) {
		explain_rejected(call, result);
		return;
	}
	const struct context *context = prepare_current_context();
	if (call_family(call) == CALL_cuMemSetAccess) {
		grant_access(call->args);
		return;
	}
	struct range_shape shape = allocated_shape(call);
	if (!shape.start) {
		memory_pool_after(call);
		return;
	}
	add_details(call, &shape);
	struct range_origin origin = origin_of(call, context);
	if (shape.kind == RANGE_MAPPED || shape.kind == RANGE_PHYSICAL ||
	    shape.kind == RANGE_RESERVED)
		origin.context = 0; /* It belongs to no context, and outlives all. */
	if (shape.kind == RANGE_MANAGED)
		fault_managed_memory();
	ranges_add(&shape, &origin);
	exhaustion_note_granted(shape.size);
}

struct freed {
	uint64_t start;
	enum range_kind kind;
};

static struct freed freed_memory(const struct call *call)
{
#define FREED(name, kind, member) \
	case CALL_##name:         \
		return (struct freed){(uint64_t)CALL_ARGUMENTS(call, name)->member, RANGE_##kind};
	switch (call_family(call)) {
		FREED(cuMemFree_v2, DEVICE, dptr)
		FREED(cuMemFreeAsync, ORDERED, dptr)
		FREED(cuMemFreeHost, HOST, p)
		FREED(cuMemHostUnregister, REGISTERED, p)
		FREED(cuIpcCloseMemHandle, IPC, dptr)
		FREED(cuMemRelease, PHYSICAL, handle)
		FREED(cuMemAddressFree, RESERVED, ptr)
		FREED(cuArrayDestroy, ARRAY, hArray)
		FREED(cuMipmappedArrayDestroy, MIPMAP, hMipmappedArray)
	default:
		return (struct freed){0};
	}
#undef FREED
}

void memory_free_before(struct call *call)
{
	call->freed = 0;
	if (failure_has_happened())
		return;
	struct range_origin origin = origin_of(call, NULL);
	struct freed freed = freed_memory(call);
	if (call_family(call) == CALL_cuMemFreeAsync)
		origin.stream = stream_id(call);
	call->freed = ranges_remove(freed.start, freed.kind, &origin);
	if (call_family(call) == CALL_cuMemUnmap)
		call->freed = ranges_remove_all(CALL_ARGUMENTS(call, cuMemUnmap)->ptr,
						CALL_ARGUMENTS(call, cuMemUnmap)->size, &origin);
	if (call->freed)
		argument_ranges_settle();
}

/* True if the memory no longer exists: freed, or lost with its context, the process or a failure,
 * whatever the call returned. */
static bool is_gone(CUresult result)
{
	return result == CUDA_SUCCESS || result == (CUresult)RESULT_PENDING ||
	       result == CUDA_ERROR_DEINITIALIZED || result == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
	       failure_is_sticky((int32_t)result);
}

static void explain_rejected_free(const struct call *call, CUresult result)
{
	const struct freed freed = freed_memory(call);
	if (freed.kind != RANGE_HOST && freed.kind != RANGE_REGISTERED)
		return;
	const struct rejected_call rejected = rejection_of(call, result);
	rejected_host_release(&rejected, freed.start, (uint8_t)freed.kind);
}

void memory_free_after(struct call *call, CUresult result)
{
	if (call->freed)
		ranges_removed(call->freed, is_gone(result));
	if (!is_gone(result))
		explain_rejected_free(call, result);
}

void memory_context_ended(const struct call *call, uint32_t context)
{
	struct range_origin origin = origin_of(call, NULL);
	if (!failure_has_happened()) /* The verdict describes the memory as it was then. */
		ranges_context_destroyed(context, &origin);
}

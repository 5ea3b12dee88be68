/*
 * allocate.c - device, managed and pinned host memory: allocate, free and query. Freeing waits for
 * the context's work, as in the real driver.
 */
#include <string.h>

#include "addresses/memory.h"
#include "entry.h"
#include "objects.h"
#include "run/queue.h"
#include "settings.h"
#include "streams/stream.h"
#include "work/work.h"

#define PITCH_ALIGNMENT ((size_t)512)

static struct memory_range model_of(enum memory_kind kind, size_t size)
{
	CUcontext context = context_owner(context_current());
	return (struct memory_range){
		.size = size, .kind = kind, .context = context, .device = context->device};
}

static CUresult allocate_device(CUdeviceptr *out_address, struct memory_range model)
{
	uintptr_t base = 0;
	if (!out_address)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = memory_allocate(model, &base);
	if (result == CUDA_SUCCESS)
		*out_address = base;
	return result;
}

CUresult sim_cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
{
	return allocate_device(dptr, model_of(MEMORY_DEVICE, bytesize));
}

CUresult sim_cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
		return CUDA_ERROR_INVALID_VALUE;
	return allocate_device(dptr, model_of(MEMORY_MANAGED, bytesize));
}

CUresult sim_cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
				size_t Height, unsigned int ElementSizeBytes)
{
	size_t pitch = (WidthInBytes + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
	if (!pPitch || (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = allocate_device(dptr, model_of(MEMORY_DEVICE, pitch * Height));
	if (result == CUDA_SUCCESS)
		*pPitch = pitch;
	return result;
}

static CUresult free_after_work(void *address)
{
	CUresult result = queue_wait_context(context_owner(context_current()));
	if (result == CUDA_SUCCESS)
		memory_free(address);
	return result;
}

CUresult sim_cuMemFree_v2(CUdeviceptr dptr)
{
	void *address = (void *)dptr;
	if (!address)
		return CUDA_SUCCESS;
	if (!memory_find_base(address, MEMORY_DEVICE) && !memory_find_base(address, MEMORY_MANAGED))
		return CUDA_ERROR_INVALID_VALUE;
	return free_after_work(address);
}

CUresult sim_cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	struct memory_range model = model_of(MEMORY_HOST, bytesize);
	uintptr_t base = 0;
	if (!pp || (Flags & ~7u))
		return CUDA_ERROR_INVALID_VALUE;
	model.flags = Flags;
	CUresult result = memory_allocate(model, &base);
	if (result == CUDA_SUCCESS)
		*pp = (void *)base;
	return result;
}

CUresult sim_cuMemAllocHost_v2(void **pp, size_t bytesize)
{
	return sim_cuMemHostAlloc(pp, bytesize, 0);
}

/* The size has 32 bits in the oldest version. */
CUresult sim_cuMemAllocHost(void **pp, unsigned int bytesize)
{
	return sim_cuMemAllocHost_v2(pp, bytesize);
}

CUresult sim_cuMemFreeHost(void *p)
{
	if (!memory_find_base(p, MEMORY_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	return free_after_work(p);
}

CUresult sim_cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
{
	struct memory_range model = model_of(MEMORY_REGISTERED, bytesize);
	if (!p || bytesize == 0 || (Flags & ~0xfu))
		return CUDA_ERROR_INVALID_VALUE;
	if (memory_find(p) || memory_find((char *)p + bytesize - 1))
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	model.base = (uintptr_t)p;
	model.flags = Flags;
	memory_register(model);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
	return sim_cuMemHostRegister_v2(p, bytesize, Flags);
}

CUresult sim_cuMemHostUnregister(void *p)
{
	/* Other memory that CUDA knows gives a different error (H200, driver 580.159). */
	if (!memory_find_base(p, MEMORY_REGISTERED))
		return memory_find(p) ? CUDA_ERROR_INVALID_VALUE
				      : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	return free_after_work(p);
}

static bool is_pinned(const struct memory_range *range)
{
	return range && (range->kind == MEMORY_HOST || range->kind == MEMORY_REGISTERED);
}

/* With unified addressing, all pinned memory is mapped, whatever the flags say. */
static bool is_mapped(const struct memory_range *range)
{
	return is_pinned(range) &&
	       (!settings.is_separate || (range->flags & CU_MEMHOSTALLOC_DEVICEMAP &&
					  context_current()->flags & CU_CTX_MAP_HOST));
}

CUresult sim_cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
	if (!pdptr || Flags != 0 || !is_mapped(memory_find(p)))
		return CUDA_ERROR_INVALID_VALUE;
	*pdptr = (CUdeviceptr)p;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
	const struct memory_range *range = memory_find(p);
	if (!pFlags || !is_pinned(range))
		return CUDA_ERROR_INVALID_VALUE;
	*pFlags = range->flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemGetInfo_v2(size_t *free, size_t *total)
{
	if (!free || !total)
		return CUDA_ERROR_INVALID_VALUE;
	*total = settings.memory_bytes;
	*free = settings.memory_bytes - memory_used_bytes(context_current()->device);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
	const struct memory_range *range = memory_find((const void *)dptr);
	if (!range)
		return CUDA_ERROR_NOT_FOUND;
	if (pbase)
		*pbase = range->base;
	if (psize)
		*psize = range->size;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
			    CUmemLocation location)
{
	(void)advice;
	(void)location;
	return memory_contains((const void *)devPtr, count) ? CUDA_SUCCESS
							    : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
	return sim_cuMemAdvise_v2(devPtr, count, advice, (CUmemLocation){.id = device});
}

/* Prefetching moves no memory here; it only takes its turn on the stream. */
CUresult sim_cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location,
				   unsigned int flags, CUstream hStream)
{
	struct work work = {.kind = WORK_EMPTY};
	(void)location;
	if (flags != 0 || !memory_contains((const void *)devPtr, count))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_submit(hStream, &work);
}

CUresult sim_cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
				CUstream hStream)
{
	return sim_cuMemPrefetchAsync_v2(devPtr, count, (CUmemLocation){.id = dstDevice}, 0,
					 hStream);
}

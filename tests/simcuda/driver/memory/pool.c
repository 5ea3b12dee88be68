/*
 * pool.c - memory pools and stream-ordered allocation. An allocation can be used at once. Memory is
 * freed when the stream reaches the operation; later uses fault.
 */
#include <string.h>

#include "addresses/memory.h"
#include "captures/captures.h"
#include "entry.h"
#include "handles.h"
#include "objects.h"
#include "settings.h"
#include "sim.h"
#include "streams/stream.h"
#include "work/work.h"

enum { MAX_DEVICES = 64 };

struct CUmemPoolHandle_st {
	CUdevice device;
	cuuint64_t attributes[CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1];
};

/* Guarded by sim_lock. */
static CUmemoryPool default_pools[MAX_DEVICES], current_pools[MAX_DEVICES];

static CUmemoryPool pool_create(CUdevice device)
{
	CUmemoryPool pool = sim_alloc(sizeof(*pool));
	pool->device = device;
	pool->attributes[CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = 1;
	pool->attributes[CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC] = 1;
	pool->attributes[CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = 1;
	handle_add(pool, HANDLE_POOL);
	return pool;
}

static bool is_device(CUdevice device)
{
	return device >= 0 && device < settings.n_devices && device < MAX_DEVICES;
}

static CUmemoryPool default_pool(CUdevice device)
{
	if (!default_pools[device])
		default_pools[device] = pool_create(device);
	return default_pools[device];
}

static CUmemoryPool current_pool(CUdevice device)
{
	return current_pools[device] ? current_pools[device] : default_pool(device);
}

CUresult sim_cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps)
{
	if (!pool || !poolProps || !is_device(poolProps->location.id))
		return CUDA_ERROR_INVALID_VALUE;
	*pool = pool_create(poolProps->location.id);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolDestroy(CUmemoryPool pool)
{
	if (!handle_is(pool, HANDLE_POOL))
		return CUDA_ERROR_INVALID_VALUE;
	if (pool == default_pools[pool->device])
		return CUDA_ERROR_INVALID_VALUE;
	if (pool == current_pools[pool->device])
		current_pools[pool->device] = NULL;
	/* Allocations may still refer to the pool, so only the handle becomes invalid. */
	handle_remove(pool);
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev)
{
	if (!pool_out || !is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*pool_out = default_pool(dev);
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev)
{
	if (!pool || !is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*pool = current_pool(dev);
	return CUDA_SUCCESS;
}

/* Managed memory needs no pool of its own here, as all memory is the host's. */
CUresult sim_cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location,
				    CUmemAllocationType type)
{
	(void)type;
	return location ? sim_cuDeviceGetDefaultMemPool(pool_out, location->id)
			: CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type)
{
	(void)type;
	return location ? sim_cuDeviceGetMemPool(pool, location->id) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool)
{
	if (!is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!handle_is(pool, HANDLE_POOL) || pool->device != dev)
		return CUDA_ERROR_INVALID_VALUE;
	current_pools[dev] = pool;
	return CUDA_SUCCESS;
}

static bool is_flag(CUmemPool_attribute attribute)
{
	return attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

CUresult sim_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	if (!handle_is(pool, HANDLE_POOL) || !value || attr > CU_MEMPOOL_ATTR_USED_MEM_HIGH)
		return CUDA_ERROR_INVALID_VALUE;
	if (is_flag(attr))
		*(int *)value = (int)pool->attributes[attr];
	else
		*(cuuint64_t *)value = pool->attributes[attr];
	return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
	if (!handle_is(pool, HANDLE_POOL) || !value || attr > CU_MEMPOOL_ATTR_USED_MEM_HIGH)
		return CUDA_ERROR_INVALID_VALUE;
	pool->attributes[attr] =
		is_flag(attr) ? (cuuint64_t)(*(int *)value != 0) : *(cuuint64_t *)value;
	return CUDA_SUCCESS;
}

/* Freed memory is released at once, so there is never anything to trim. */
CUresult sim_cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)
{
	(void)minBytesToKeep;
	return handle_is(pool, HANDLE_POOL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count)
{
	return handle_is(pool, HANDLE_POOL) && (map || count == 0) ? CUDA_SUCCESS
								   : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
				CUmemLocation *location)
{
	if (!flags || !location || !handle_is(memPool, HANDLE_POOL))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
				     CUstream hStream)
{
	struct memory_range model = {.size = bytesize, .kind = MEMORY_DEVICE, .pool = pool};
	CUstream stream = NULL;
	uintptr_t base = 0;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!dptr || !handle_is(pool, HANDLE_POOL))
		return CUDA_ERROR_INVALID_VALUE;
	/* Allocation nodes of graphs are not simulated. */
	result = capture_check_uncapturable(stream);
	if (result != CUDA_SUCCESS)
		return result;
	model.device = pool->device;
	result = memory_allocate(model, &base);
	if (result == CUDA_SUCCESS)
		*dptr = base;
	return result;
}

CUresult sim_cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
	return sim_cuMemAllocFromPoolAsync(dptr, bytesize, current_pool(context_current()->device),
					   hStream);
}

CUresult sim_cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
	struct work work = {.kind = WORK_FREE, .freed = (void *)dptr};
	if (!memory_find_base((const void *)dptr, MEMORY_DEVICE))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_submit(hStream, &work);
}

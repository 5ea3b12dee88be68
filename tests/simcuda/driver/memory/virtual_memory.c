/*
 * virtual_memory.c - reserved addresses, physical memory and mappings between them. Unmapping does
 * not wait for queued work, which then faults.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "addresses/memory.h"
#include "entry.h"
#include "handles.h"
#include "objects.h"
#include "settings.h"
#include "sim.h"

#define GRANULARITY ((size_t)2 << 20)

/* Physical memory; its address is the handle. Freed with its last handle and mapping. */
struct physical {
	unsigned n_handles, n_mappings;
	int fd;
	size_t size;
	CUmemAllocationProp properties;
};

static struct physical *physical_of(CUmemGenericAllocationHandle handle)
{
	struct physical *physical = (struct physical *)handle;
	return handle_is(physical, HANDLE_PHYSICAL) ? physical : NULL;
}

static void drop_if_unused(struct physical *physical)
{
	if (physical->n_handles > 0 || physical->n_mappings > 0)
		return;
	close(physical->fd);
	free(physical);
}

static bool is_granular(size_t size)
{
	return size > 0 && size % GRANULARITY == 0;
}

CUresult sim_cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
					   CUmemAllocationGranularity_flags option)
{
	(void)option;
	if (!granularity || !prop)
		return CUDA_ERROR_INVALID_VALUE;
	*granularity = GRANULARITY;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
				 unsigned long long flags)
{
	(void)addr; /* a hint, which the driver may ignore */
	if (!ptr || flags != 0 || !is_granular(size) || (alignment & (alignment - 1)))
		return CUDA_ERROR_INVALID_VALUE;
	void *start = arena_reserve(size, alignment > GRANULARITY ? alignment : GRANULARITY);
	if (!start)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*ptr = (CUdeviceptr)start;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
	if (!arena_contains((const void *)ptr, size) || memory_find((const void *)ptr))
		return CUDA_ERROR_INVALID_VALUE;
	arena_release((void *)ptr);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
			 const CUmemAllocationProp *prop, unsigned long long flags)
{
	if (!handle || !prop || flags != 0 || !is_granular(size))
		return CUDA_ERROR_INVALID_VALUE;
	if (size > settings.memory_bytes)
		return CUDA_ERROR_OUT_OF_MEMORY;
	int fd = memfd_create("simcuda-physical", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)size) != 0) {
		if (fd >= 0)
			close(fd);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	struct physical *physical = sim_alloc(sizeof(*physical));
	*physical = (struct physical){.n_handles = 1, .fd = fd, .size = size, .properties = *prop};
	handle_add(physical, HANDLE_PHYSICAL);
	*handle = (CUmemGenericAllocationHandle)physical;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemRelease(CUmemGenericAllocationHandle handle)
{
	struct physical *physical = physical_of(handle);
	if (!physical)
		return CUDA_ERROR_INVALID_VALUE;
	if (--physical->n_handles == 0)
		handle_remove(physical);
	drop_if_unused(physical);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
	const struct memory_range *range = memory_find(addr);
	if (!handle || !range || range->kind != MEMORY_MAPPED)
		return CUDA_ERROR_INVALID_VALUE;
	struct physical *physical = (struct physical *)range->physical;
	if (physical->n_handles++ == 0)
		handle_add(physical, HANDLE_PHYSICAL);
	*handle = range->physical;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
						    CUmemGenericAllocationHandle handle)
{
	const struct physical *physical = physical_of(handle);
	if (!prop || !physical)
		return CUDA_ERROR_INVALID_VALUE;
	*prop = physical->properties;
	return CUDA_SUCCESS;
}

/* Mapped memory has no access rights until cuMemSetAccess. */
CUresult sim_cuMemMap(CUdeviceptr ptr, size_t size, size_t offset,
		      CUmemGenericAllocationHandle handle, unsigned long long flags)
{
	struct physical *physical = physical_of(handle);
	void *start = (void *)ptr;
	if (!physical || flags != 0 || offset != 0 || !is_granular(size) || size > physical->size ||
	    !arena_contains(start, size) || memory_find(start))
		return CUDA_ERROR_INVALID_VALUE;
	if (mmap(start, size, PROT_NONE, MAP_SHARED | MAP_FIXED, physical->fd, 0) == MAP_FAILED)
		return CUDA_ERROR_MAP_FAILED;
	physical->n_mappings++;
	memory_register((struct memory_range){.base = ptr,
					      .size = size,
					      .kind = MEMORY_MAPPED,
					      .device = physical->properties.location.id,
					      .physical = handle});
	return CUDA_SUCCESS;
}

/* Call f for each mapping in [start, start + size); return false if they do not fill it. */
static bool for_each_mapping(uintptr_t start, size_t size,
			     void (*f)(struct memory_range *range, CUmemAccess_flags access),
			     CUmemAccess_flags access)
{
	uintptr_t end = start + size;
	while (start < end) {
		struct memory_range *range = memory_find_base((void *)start, MEMORY_MAPPED);
		if (!range || range->size > end - start)
			return false;
		start += range->size;
		if (f)
			f(range, access);
	}
	return true;
}

static void set_access(struct memory_range *range, CUmemAccess_flags access)
{
	int protection = PROT_NONE;
	if (access == CU_MEM_ACCESS_FLAGS_PROT_READ)
		protection = PROT_READ;
	else if (access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		protection = PROT_READ | PROT_WRITE;
	range->flags = (unsigned)access;
	mprotect((void *)range->base, range->size, protection);
}

static void unmap(struct memory_range *range, CUmemAccess_flags unused)
{
	struct physical *physical = (struct physical *)range->physical;
	(void)unused;
	arena_clear((void *)range->base, range->size);
	memory_free((const void *)range->base);
	physical->n_mappings--;
	drop_if_unused(physical);
}

CUresult sim_cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
{
	if (!desc || count == 0 || !for_each_mapping(ptr, size, NULL, 0))
		return CUDA_ERROR_INVALID_VALUE;
	for_each_mapping(ptr, size, set_access, desc[0].flags);
	return CUDA_SUCCESS;
}

CUresult sim_cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
			    CUdeviceptr ptr)
{
	const struct memory_range *range = memory_find((const void *)ptr);
	if (!flags || !location || !range || range->kind != MEMORY_MAPPED)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = range->flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuMemUnmap(CUdeviceptr ptr, size_t size)
{
	if (!for_each_mapping(ptr, size, NULL, 0))
		return CUDA_ERROR_INVALID_VALUE;
	for_each_mapping(ptr, size, unmap, 0);
	return CUDA_SUCCESS;
}

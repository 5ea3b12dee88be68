/*
 * pointer.c - attributes of addresses.
 */
#include <string.h>

#include "entry.h"
#include "memory.h"

/* Writes the attribute as the type that CUDA documents for it. */
#define GIVE(type, value)                      \
	do {                                   \
		*(type *)data = (type)(value); \
		return CUDA_SUCCESS;           \
	} while (0)

static bool is_host(const struct memory_range *range)
{
	return range->kind == MEMORY_HOST || range->kind == MEMORY_REGISTERED;
}

static bool is_host_visible(const struct memory_range *range)
{
	return is_host(range) || range->kind == MEMORY_MANAGED;
}

static CUresult get_attribute(void *data, CUpointer_attribute attribute,
			      const struct memory_range *range, CUdeviceptr address)
{
	switch ((unsigned)attribute) {
	case CU_POINTER_ATTRIBUTE_CONTEXT:
		GIVE(CUcontext, range->context);
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		GIVE(unsigned, is_host(range) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		GIVE(CUdeviceptr, address);
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!is_host_visible(range))
			return CUDA_ERROR_INVALID_VALUE;
		GIVE(void *, address);
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
		GIVE(unsigned, range->sync_memops);
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
		GIVE(unsigned long long, range->id);
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		GIVE(unsigned, range->kind == MEMORY_MANAGED);
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		GIVE(int, range->device);
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
		GIVE(unsigned, 0);
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		GIVE(CUdeviceptr, range->base);
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		GIVE(size_t, range->size);
	case CU_POINTER_ATTRIBUTE_MAPPED:
		GIVE(unsigned, 1);
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
		GIVE(CUmemoryPool, range->pool);
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

CUresult sim_cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	const struct memory_range *range = memory_find((const void *)ptr);

	if (!data || !range)
		return CUDA_ERROR_INVALID_VALUE;
	return get_attribute(data, attribute, range, ptr);
}

/* An address that nobody knows gives no error here, but attributes that say so. */
static void get_attribute_of_unknown(void *data, CUpointer_attribute attribute)
{
	if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
		*(int *)data = -2;
	else if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ||
		 attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
		 attribute == CU_POINTER_ATTRIBUTE_MAPPED)
		*(unsigned *)data = 0;
	else if (attribute == CU_POINTER_ATTRIBUTE_CONTEXT ||
		 attribute == CU_POINTER_ATTRIBUTE_DEVICE_POINTER)
		*(void **)data = NULL;
}

CUresult sim_cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
				    void **data, CUdeviceptr ptr)
{
	const struct memory_range *range = memory_find((const void *)ptr);
	CUresult result = attributes && data ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;

	for (unsigned i = 0; result == CUDA_SUCCESS && i < numAttributes; i++) {
		if (range)
			result = get_attribute(data[i], attributes[i], range, ptr);
		else
			get_attribute_of_unknown(data[i], attributes[i]);
	}
	return result;
}

CUresult sim_cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
				   CUdeviceptr ptr)
{
	struct memory_range *range = memory_find((const void *)ptr);

	if (!value || !range || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
		return CUDA_ERROR_INVALID_VALUE;
	range->sync_memops = *(const unsigned *)value != 0;
	return CUDA_SUCCESS;
}

/*
 * pointer.c - attributes of addresses.
 */
#include <string.h>

#include "addresses/memory.h"
#include "entry.h"
#include "objects.h"

/* CUDA documents the type of each attribute; most have 4 or 8 bytes. */
static CUresult give_32_bits(void *data, unsigned value)
{
	*(unsigned *)data = value;
	return CUDA_SUCCESS;
}

static CUresult give_64_bits(void *data, uint64_t value)
{
	*(uint64_t *)data = value;
	return CUDA_SUCCESS;
}

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
		return give_64_bits(data, (uintptr_t)range->context);
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		return give_32_bits(data,
				    is_host(range) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		return give_64_bits(data, address);
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!is_host_visible(range))
			return CUDA_ERROR_INVALID_VALUE;
		return give_64_bits(data, address);
	case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
		return give_32_bits(data, range->sync_memops);
	case CU_POINTER_ATTRIBUTE_BUFFER_ID:
		return give_64_bits(data, range->id);
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		return give_32_bits(data, range->kind == MEMORY_MANAGED);
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		return give_32_bits(data, (unsigned)range->device);
	case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
	case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
		return give_32_bits(data, 0);
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		return give_64_bits(data, range->base);
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		return give_64_bits(data, range->size);
	case CU_POINTER_ATTRIBUTE_MAPPED:
		return give_32_bits(data, 1);
	case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
		return give_64_bits(data, (uintptr_t)range->pool);
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

/* For an unknown address, return attributes that say so instead of an error. */
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

/*
 * device.c - the simulated devices, SIMCUDA_DEVICES of them. Attributes that a program may depend
 * on are those of an H200.
 */
#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "objects.h"
#include "settings.h"

#define ATTRIBUTE(name, value) [CU_DEVICE_ATTRIBUTE_##name] = (value)

/* Attributes not listed, such as most limits of textures, are 0. */
static const int attributes[CU_DEVICE_ATTRIBUTE_MAX] = {
	ATTRIBUTE(MAX_THREADS_PER_BLOCK, 1024),
	ATTRIBUTE(MAX_BLOCK_DIM_X, 1024),
	ATTRIBUTE(MAX_BLOCK_DIM_Y, 1024),
	ATTRIBUTE(MAX_BLOCK_DIM_Z, 64),
	ATTRIBUTE(MAX_GRID_DIM_X, 0x7fffffff),
	ATTRIBUTE(MAX_GRID_DIM_Y, 65535),
	ATTRIBUTE(MAX_GRID_DIM_Z, 65535),
	ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10),
	ATTRIBUTE(TOTAL_CONSTANT_MEMORY, 64 << 10),
	ATTRIBUTE(WARP_SIZE, 32),
	ATTRIBUTE(MAX_PITCH, 0x7fffffff),
	ATTRIBUTE(MAX_REGISTERS_PER_BLOCK, 65536),
	ATTRIBUTE(CLOCK_RATE, 1980000),
	ATTRIBUTE(TEXTURE_ALIGNMENT, 512),
	ATTRIBUTE(GPU_OVERLAP, 1),
	ATTRIBUTE(MULTIPROCESSOR_COUNT, 132),
	ATTRIBUTE(CAN_MAP_HOST_MEMORY, 1),
	ATTRIBUTE(SURFACE_ALIGNMENT, 512),
	ATTRIBUTE(CONCURRENT_KERNELS, 1),
	ATTRIBUTE(ECC_ENABLED, 1),
	ATTRIBUTE(MEMORY_CLOCK_RATE, 3201000),
	ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH, 6144),
	ATTRIBUTE(L2_CACHE_SIZE, 60 << 20),
	ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR, 2048),
	ATTRIBUTE(ASYNC_ENGINE_COUNT, 3),
	ATTRIBUTE(UNIFIED_ADDRESSING, 1),
	ATTRIBUTE(TEXTURE_PITCH_ALIGNMENT, 32),
	ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR, 9),
	ATTRIBUTE(STREAM_PRIORITIES_SUPPORTED, 1),
	ATTRIBUTE(GLOBAL_L1_CACHE_SUPPORTED, 1),
	ATTRIBUTE(LOCAL_L1_CACHE_SUPPORTED, 1),
	ATTRIBUTE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 228 << 10),
	ATTRIBUTE(MAX_REGISTERS_PER_MULTIPROCESSOR, 65536),
	ATTRIBUTE(MANAGED_MEMORY, 1),
	ATTRIBUTE(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2),
	ATTRIBUTE(CONCURRENT_MANAGED_ACCESS, 1),
	ATTRIBUTE(COMPUTE_PREEMPTION_SUPPORTED, 1),
	ATTRIBUTE(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1),
	ATTRIBUTE(CAN_USE_STREAM_MEM_OPS_V1, 1),
	ATTRIBUTE(CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1),
	ATTRIBUTE(CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1),
	ATTRIBUTE(COOPERATIVE_LAUNCH, 1),
	ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10),
	ATTRIBUTE(HOST_REGISTER_SUPPORTED, 1),
	ATTRIBUTE(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1),
	ATTRIBUTE(MAX_BLOCKS_PER_MULTIPROCESSOR, 32),
	ATTRIBUTE(RESERVED_SHARED_MEMORY_PER_BLOCK, 1024),
	ATTRIBUTE(MEMORY_POOLS_SUPPORTED, 1),
	ATTRIBUTE(CLUSTER_LAUNCH, 1),
	ATTRIBUTE(CAN_USE_64_BIT_STREAM_MEM_OPS, 1),
	ATTRIBUTE(CAN_USE_STREAM_WAIT_VALUE_NOR, 1),
	ATTRIBUTE(MEM_SYNC_DOMAIN_COUNT, 4),
	ATTRIBUTE(UNIFIED_FUNCTION_POINTERS, 1),
};

CUresult sim_cuDeviceGetCount(int *count)
{
	if (!count)
		return CUDA_ERROR_INVALID_VALUE;
	*count = settings.n_devices;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(ordinal))
		return CUDA_ERROR_INVALID_DEVICE;
	*device = ordinal;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetName(char *name, int len, CUdevice dev)
{
	if (!name || len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(name, (size_t)len, "simcuda device");
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
	if (!pi || attrib < 1 || attrib >= CU_DEVICE_ATTRIBUTE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*pi = attrib == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID ? dev + 1 : attributes[attrib];
	if (attrib == CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING && settings.is_separate)
		*pi = 0;
	if (attrib == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS)
		*pi = settings.reads_pageable;
	if (attrib == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES)
		*pi = settings.uses_host_tables;
	if (attrib == CU_DEVICE_ATTRIBUTE_MPS_ENABLED)
		*pi = settings.is_shared;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
	if (!bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*bytes = settings.memory_bytes;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	if (!major || !minor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	*major = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
	*minor = attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
	if (!uuid)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	memcpy(uuid->bytes, "simcuda-device-", 15);
	uuid->bytes[15] = (char)dev;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	return sim_cuDeviceGetUuid_v2(uuid, dev);
}

CUresult sim_cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
	if (!pciBusId || len <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev))
		return CUDA_ERROR_INVALID_DEVICE;
	snprintf(pciBusId, (size_t)len, "0000:%02X:00.0", (unsigned)dev + 1);
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
	unsigned domain = 0;
	unsigned bus = 0;
	if (!dev || !pciBusId || sscanf(pciBusId, "%x:%x:", &domain, &bus) != 2)
		return CUDA_ERROR_INVALID_VALUE;
	if (domain != 0 || !context_is_device((int)bus - 1))
		return CUDA_ERROR_INVALID_DEVICE;
	*dev = (int)bus - 1;
	return CUDA_SUCCESS;
}

CUresult sim_cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
	if (!canAccessPeer)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_device(dev) || !context_is_device(peerDev))
		return CUDA_ERROR_INVALID_DEVICE;
	*canAccessPeer = dev != peerDev;
	return CUDA_SUCCESS;
}

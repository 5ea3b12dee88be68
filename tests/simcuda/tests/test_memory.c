/*
 * test_memory.c - allocations of every kind, copies and memsets, virtual memory, pools, arrays.
 */
#include <string.h>

#include "test.h"

static CUdeviceptr allocate(size_t size)
{
	CUdeviceptr data = 0;
	OK(cuMemAlloc(&data, size));
	return data;
}

static void allocation(void)
{
	CUdeviceptr data = 0;
	CUdeviceptr base = 0;
	size_t size = 0;
	size_t free_before = 0;
	size_t free_after = 0;
	size_t total = 0;
	test_start();
	CHECK_EQUAL(cuMemAlloc(&data, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuMemAlloc(&data, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuMemGetInfo(&free_before, &total));
	data = allocate(100000);
	CHECK_EQUAL(data % 256, 0);
	OK(cuMemGetAddressRange(&base, &size, data + 99999));
	CHECK_EQUAL(base, data);
	CHECK_EQUAL(size, 100000);
	OK(cuMemGetInfo(&free_after, &total));
	CHECK(free_after < free_before);
	CHECK_EQUAL(cuMemFree(data + 256), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(data));
	CHECK_EQUAL(cuMemFree(data), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(0));
	OK(cuMemGetInfo(&free_after, &total));
	CHECK_EQUAL(free_after, free_before);
}

static void device_memory_is_limited(void)
{
	CUdeviceptr data = 0;
	test_start();
	data = allocate((size_t)48 << 20);
	CHECK_EQUAL(cuMemAlloc(&data, (size_t)24 << 20), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuMemFree(data));
	allocate((size_t)24 << 20);
}

static void copies(void)
{
	int source[64];
	int target[64] = {0};
	test_start();
	for (int i = 0; i < 64; i++)
		source[i] = i * i;
	CUdeviceptr first = allocate(sizeof(source));
	CUdeviceptr second = allocate(sizeof(source));
	OK(cuMemcpyHtoD(first, source, sizeof(source)));
	OK(cuMemcpyDtoD(second, first, sizeof(source)));
	OK(cuMemcpyDtoH(target, second, sizeof(source)));
	CHECK(memcmp(source, target, sizeof(source)) == 0);
	OK(cuMemsetD32(second + 16, 77, 2));
	OK(cuMemsetD8(second, 0xff, 4));
	OK(cuMemcpy((CUdeviceptr)target, second, sizeof(target)));
	CHECK_EQUAL(target[0], -1);
	CHECK_EQUAL(target[3], 9);
	CHECK_EQUAL(target[4], 77);
	CHECK_EQUAL(target[5], 77);
	CHECK_EQUAL(target[6], 36);
	CHECK_EQUAL(cuMemcpyHtoD(first + 4, source, sizeof(source)), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuMemsetD32(first, 0, 65), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuMemcpyDtoH(target, (CUdeviceptr)source, 4), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemcpyHtoD(first, source, 0));
}

/* The caller may reuse pageable memory when the call returns, but not pinned memory. */
static void asynchronous_copies(void)
{
	int pageable = 1;
	int *pinned = NULL;
	int *flag = NULL;
	int result[2] = {0};
	test_start();
	CUdeviceptr first = allocate(4);
	CUdeviceptr second = allocate(4);
	pinned = test_pinned(1);
	*pinned = 1;
	flag = test_hold(NULL);
	OK(cuMemcpyHtoDAsync(first, &pageable, 4, NULL));
	OK(cuMemcpyHtoDAsync(second, pinned, 4, NULL));
	pageable = 2;
	*pinned = 2;
	test_release(flag);
	OK(cuMemcpyDtoHAsync(&result[0], first, 4, NULL));
	OK(cuMemcpyDtoHAsync(&result[1], second, 4, NULL));
	CHECK_EQUAL(result[0], 1);
	CHECK_EQUAL(result[1], 2);
}

static void rectangles(void)
{
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
			      .srcPitch = 8 * sizeof(int),
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .WidthInBytes = 4 * sizeof(int),
			      .Height = 3};
	int source[3][8];
	int target[3][4] = {{0}};
	size_t pitch = 0;
	test_start();
	for (int i = 0; i < 24; i++)
		source[i / 8][i % 8] = i;
	OK(cuMemAllocPitch(&copy.dstDevice, &pitch, 8 * sizeof(int), 3, 4));
	copy.srcHost = source;
	copy.srcXInBytes = 2 * sizeof(int);
	copy.dstPitch = pitch;
	OK(cuMemcpy2D(&copy));
	OK(cuMemsetD2D32(copy.dstDevice, pitch, 99, 1, 3));
	copy = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			       .srcDevice = copy.dstDevice,
			       .srcPitch = pitch,
			       .dstMemoryType = CU_MEMORYTYPE_HOST,
			       .dstHost = target,
			       .WidthInBytes = sizeof(target[0]),
			       .Height = 3};
	OK(cuMemcpy2D(&copy));
	for (int row = 0; row < 3; row++) {
		CHECK_EQUAL(target[row][0], 99);
		CHECK_EQUAL(target[row][3], row * 8 + 5);
	}
}

static void arrays(void)
{
	CUDA_ARRAY_DESCRIPTOR descriptor = {
		.Width = 4, .Height = 2, .Format = CU_AD_FORMAT_SIGNED_INT32, .NumChannels = 1};
	CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
	CUDA_TEXTURE_DESC texture = {0};
	CUtexObject object = 0;
	CUarray array = NULL;
	int source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	int target[8] = {0};
	test_start();
	OK(cuArrayCreate(&array, &descriptor));
	OK(cuMemcpyHtoA(array, 0, source, sizeof(source)));
	OK(cuMemcpyAtoH(target, array, 0, sizeof(target)));
	CHECK(memcmp(source, target, sizeof(source)) == 0);
	resource.res.array.hArray = array;
	OK(cuTexObjectCreate(&object, &resource, &texture, NULL));
	OK(cuTexObjectDestroy(object));
	CHECK_EQUAL(cuTexObjectDestroy(object), CUDA_ERROR_INVALID_VALUE);
	OK(cuArrayDestroy(array));
	CHECK_EQUAL(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
}

static unsigned attribute_of(CUdeviceptr address, CUpointer_attribute attribute)
{
	unsigned value = ~0u;
	OK(cuPointerGetAttribute(&value, attribute, address));
	return value;
}

static void host_memory(void)
{
	static char page[4096];
	CUdeviceptr device = 0;
	CUdeviceptr managed = 0;
	void *pinned = NULL;
	test_start();
	OK(cuMemHostAlloc(&pinned, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemHostGetDevicePointer(&device, pinned, 0));
	CHECK_EQUAL(attribute_of(device, CU_POINTER_ATTRIBUTE_MEMORY_TYPE), CU_MEMORYTYPE_HOST);
	OK(cuMemFreeHost(pinned));
	CHECK_EQUAL(cuMemFreeHost(pinned), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostRegister(page, sizeof(page), 0));
	CHECK_EQUAL(cuMemHostRegister(page, sizeof(page), 0),
		    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	OK(cuMemsetD8((CUdeviceptr)page, 7, 1));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(page[0], 7);
	CHECK_EQUAL(cuMemHostUnregister(page + 64), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostUnregister(page));
	CHECK_EQUAL(cuMemHostUnregister(page), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
	*(int *)managed = 5;
	CHECK_EQUAL(attribute_of(managed, CU_POINTER_ATTRIBUTE_IS_MANAGED), 1);
	int local = 0;
	CHECK_EQUAL(cuPointerGetAttribute(&local, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
					  (CUdeviceptr)&local),
		    CUDA_ERROR_INVALID_VALUE);
}

static void virtual_memory(void)
{
	CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUmemGenericAllocationHandle handle = 0;
	CUdeviceptr range = 0;
	size_t granularity = 0;
	int value = 0;
	test_start();
	OK(cuMemGetAllocationGranularity(&granularity, &properties,
					 CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CHECK_EQUAL(cuMemAddressReserve(&range, 100, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAddressReserve(&range, 2 * granularity, 0, 0, 0));
	CHECK_EQUAL(cuMemsetD32(range, 3, 1), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemCreate(&handle, granularity, &properties, 0));
	OK(cuMemMap(range, granularity, 0, handle, 0));
	OK(cuMemMap(range + granularity, granularity, 0, handle, 0)); /* mapped at two addresses */
	OK(cuMemSetAccess(range, 2 * granularity, &access, 1));
	OK(cuMemRelease(handle));
	OK(cuMemsetD32(range, 3, 1));
	OK(cuMemcpyDtoH(&value, range + granularity, 4));
	CHECK_EQUAL(value, 3);
	CHECK_EQUAL(cuMemAddressFree(range, 2 * granularity), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemUnmap(range, 2 * granularity));
	CHECK_EQUAL(cuMemUnmap(range, granularity), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemAddressFree(range, 2 * granularity));
}

static void pools(void)
{
	CUmemoryPool pool = NULL;
	CUmemoryPool current = NULL;
	cuuint64_t threshold = 1 << 20;
	cuuint64_t read = 0;
	CUdeviceptr data = 0;
	int value = 0;
	test_start();
	OK(cuDeviceGetDefaultMemPool(&pool, 0));
	OK(cuDeviceGetMemPool(&current, 0));
	CHECK(pool == current);
	OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
	OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &read));
	CHECK_EQUAL(read, threshold);
	OK(cuMemAllocAsync(&data, 64, NULL));
	OK(cuMemsetD32Async(data, 8, 16, NULL));
	OK(cuMemcpyDtoHAsync(&value, data + 60, 4, NULL));
	OK(cuMemFreeAsync(data, NULL));
	OK(cuStreamSynchronize(NULL));
	CHECK_EQUAL(value, 8);
	CHECK_EQUAL(cuMemFreeAsync(data, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
}

static void texture_references(void)
{
	const CUDA_ARRAY_DESCRIPTOR descriptor = {
		.Width = 4, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
	CUtexref texture = NULL;
	CUarray array = NULL;
	CUarray bound = NULL;
	CUdeviceptr address = 0;
	CUdeviceptr data = 0;
	test_start();
	data = allocate(256);
	OK(cuArrayCreate(&array, &descriptor));
	OK(cuTexRefCreate(&texture));
	CHECK_EQUAL(cuTexRefGetArray(&bound, texture), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuTexRefSetArray(texture, array, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuTexRefSetArray(texture, array, CU_TRSA_OVERRIDE_FORMAT));
	OK(cuTexRefGetArray(&bound, texture));
	CHECK(bound == array);
	OK(cuTexRefSetAddress(NULL, texture, data, 256));
	OK(cuTexRefGetAddress(&address, texture));
	CHECK_EQUAL(address, data);
	CHECK_EQUAL(cuTexRefGetArray(&bound, texture), CUDA_ERROR_INVALID_VALUE);
	OK(cuTexRefDestroy(texture));
	CHECK_EQUAL(cuTexRefDestroy(texture), CUDA_ERROR_INVALID_HANDLE);
}

static const struct test_case cases[] = {
	{"allocation", allocation, {NULL}},
	{"device_memory_is_limited", device_memory_is_limited, {"SIMCUDA_MEMORY_MB=64"}},
	{"copies", copies, {NULL}},
	{"asynchronous_copies", asynchronous_copies, {NULL}},
	{"rectangles", rectangles, {NULL}},
	{"arrays", arrays, {NULL}},
	{"texture_references", texture_references, {NULL}},
	{"host_memory", host_memory, {NULL}},
	{"virtual_memory", virtual_memory, {NULL}},
	{"pools", pools, {NULL}},
};

TEST_MAIN(cases)

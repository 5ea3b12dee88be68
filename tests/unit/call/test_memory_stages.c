/*
 * test_memory_stages.c - what each call that makes, maps or opens memory leaves in the journal: all
 * of it is compared.
 */
#include "base/journal_format.h"
#include "call/memory_case.h"
#include "record/driver/captures.h"
#include "support/check.h"

static CUdeviceptr address = 0x100, unknown = 0x999;

static void test_device_memory(void)
{
	size_t pitch = 512;
	const CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer = {.offset = 1, .size = 10};
	ALLOCATED(cuMemAlloc_v2, .dptr = &address, .bytesize = 1);
	ALLOCATED(cuMemAllocManaged, .dptr = &address, .bytesize = 2);
	ALLOCATED(cuMemAllocPitch_v2, .dptr = &address, .pPitch = &pitch, .WidthInBytes = 3,
		  .Height = 4);
	ALLOCATED(cuIpcOpenMemHandle_v2, .pdptr = &address);
	ALLOCATED(cuIpcOpenMemHandle_v2, .pdptr = &unknown);
	ALLOCATED(cuMemPoolImportPointer, .ptr_out = &address);
	ALLOCATED(cuExternalMemoryGetMappedBuffer, .devPtr = &address, .bufferDesc = &buffer);
	CHECK_EQUAL(memory_case.granted, 1 + 2 + 2048 + 100 + 0 + 100 + 10);
	memory_case.has_context = false;
	ALLOCATED(cuMemAlloc_v2, .dptr = &address, .bytesize = 1);
	memory_case.has_context = true;
	CHECK_TRACE("DEVICE 100 of 1 by cuMemAlloc_v2 in context 20\n"
		    "managed memory\n"
		    "MANAGED 100 of 2 by cuMemAllocManaged in context 20\n"
		    "PITCHED 100 of 2048 by cuMemAllocPitch_v2 in context 20\n"
		    "IPC 100 of 100 by cuIpcOpenMemHandle_v2 in context 20\n"
		    "IPC 999 of 0 by cuIpcOpenMemHandle_v2 in context 20\n"
		    "IPC 100 of 100 by cuMemPoolImportPointer in context 20\n"
		    "IMPORTED 100 of 10 by cuExternalMemoryGetMappedBuffer in context 20\n"
		    "DEVICE 100 of 1 by cuMemAlloc_v2\n");
}

static void test_host_memory(void)
{
	void *pointer = (void *)0x200;
	ALLOCATED(cuMemAllocHost_v2, .pp = &pointer, .bytesize = 1);
	ALLOCATED(cuMemHostAlloc, .pp = &pointer, .bytesize = 2);
	ALLOCATED(cuMemHostAlloc, .pp = &pointer, .bytesize = 2, .Flags = 0xffff);
	ALLOCATED(cuMemHostRegister_v2, .p = pointer, .bytesize = 3);
	ALLOCATED(cuMemHostRegister_v2, .p = pointer, .bytesize = 3, .Flags = 0xffff);
	CHECK_TRACE(
		"HOST 200 of 1 by cuMemAllocHost_v2 in context 20\n"
		"HOST 200 of 2 by cuMemHostAlloc in context 20\n"
		"HOST 200 of 2, flags 7, device 0 by cuMemHostAlloc in context 20\n"
		"REGISTERED 200 of 3 by cuMemHostRegister_v2 in context 20\n"
		"REGISTERED 200 of 3, flags b, device 0 by cuMemHostRegister_v2 in context 20\n");
}

static void test_ordered_memory(void)
{
	captures_under_way = 1;
	ALLOCATED(cuMemAllocAsync, .dptr = &address, .bytesize = 1);
	ALLOCATED(cuMemAllocAsync_ptsz, .dptr = &address, .bytesize = 2);
	ALLOCATED(cuMemAllocFromPoolAsync, .dptr = &address, .bytesize = 3);
	ALLOCATED(cuMemAllocFromPoolAsync_ptsz, .dptr = &address, .bytesize = 4);
	captures_under_way = 0;
	ALLOCATED(cuMemAllocAsync_ptsz, .dptr = &address, .bytesize = 5);
	memory_case.has_stream = false;
	ALLOCATED(cuMemAllocAsync, .dptr = &address, .bytesize = 6);
	memory_case.has_stream = true;
	CHECK_TRACE("ORDERED 100 of 1, stream 50 by cuMemAllocAsync in context 20\n"
		    "GRAPH 100 of 2, stream 50 by cuMemAllocAsync_ptsz in context 20\n"
		    "ORDERED 100 of 3, stream 50, flags 80, device 0 by cuMemAllocFromPoolAsync in "
		    "context 20\n"
		    "ORDERED 100 of 4, stream 50, flags 80, device 0 by "
		    "cuMemAllocFromPoolAsync_ptsz in context 20\n"
		    "ORDERED 100 of 5, stream 50 by cuMemAllocAsync_ptsz in context 20\n"
		    "ORDERED 100 of 6 by cuMemAllocAsync in context 20\n");
}

static void test_arrays(void)
{
	CUarray array = (CUarray)0x300;
	CUmipmappedArray mipmap = (CUmipmappedArray)0x400;
	static const uint8_t formats[] = {0, 1, 2, 3, 4, 8, 9, 10, 16, 32, 33};
	for (size_t i = 0; i < sizeof(formats); i++) {
		const CUDA_ARRAY_DESCRIPTOR flat = {
			.Width = 7, .Format = (CUarray_format)formats[i], .NumChannels = 1};
		ALLOCATED(cuArrayCreate_v2, .pHandle = &array, .pAllocateArray = &flat);
	}
	const CUDA_ARRAY_DESCRIPTOR flat = {
		.Width = 7, .Height = 5, .Format = CU_AD_FORMAT_HALF, .NumChannels = 4};
	ALLOCATED(cuArrayCreate_v2, .pHandle = &array, .pAllocateArray = &flat);
	CUDA_ARRAY3D_DESCRIPTOR deep = {.Width = 8,
					.Height = 5,
					.Depth = 3,
					.Format = CU_AD_FORMAT_FLOAT,
					.NumChannels = 2};
	ALLOCATED(cuArray3DCreate_v2, .pHandle = &array, .pAllocateArray = &deep);
	for (unsigned n = 0; n <= 5; n++)
		ALLOCATED(cuMipmappedArrayCreate, .pHandle = &mipmap, .pMipmappedArrayDesc = &deep,
			  .numMipmapLevels = n);
	deep.Height = deep.Depth = 0;
	deep.Width = 3;
	ALLOCATED(cuMipmappedArrayCreate, .pHandle = &mipmap, .pMipmappedArrayDesc = &deep,
		  .numMipmapLevels = 3);
	deep.Width = (size_t)1 << 31;
	ALLOCATED(cuMipmappedArrayCreate, .pHandle = &mipmap, .pMipmappedArrayDesc = &deep,
		  .numMipmapLevels = 1000);
	CHECK_TRACE("ARRAY 300 of 0 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 7 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 14 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 28 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 0 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 7 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 14 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 28 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 14 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 28 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 0 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 280 by cuArrayCreate_v2 in context 20\n"
		    "ARRAY 300 of 960 by cuArray3DCreate_v2 in context 20\n"
		    "MIPMAP 400 of 0 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 960 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 1024 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 1040 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 1048 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 1056 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 40 by cuMipmappedArrayCreate in context 20\n"
		    "MIPMAP 400 of 34359738360 by cuMipmappedArrayCreate in context 20\n");
}

static void create(CUmemLocationType type, int id, CUresult result)
{
	CUmemGenericAllocationHandle handle = 0x500;
	const CUmemAllocationProp prop = {.location = {.type = type, .id = id}};
	REFUSED(result, cuMemCreate, .handle = &handle, .size = 6, .prop = &prop);
}

/* Physical memory, addresses and mappings belong to no context. */
static void test_virtual_memory(void)
{
	CUmemGenericAllocationHandle handle = 0x500;
	create(CU_MEM_LOCATION_TYPE_DEVICE, 0, CUDA_SUCCESS);
	create(CU_MEM_LOCATION_TYPE_DEVICE, 255, CUDA_SUCCESS);
	create(CU_MEM_LOCATION_TYPE_DEVICE, 256, CUDA_SUCCESS);
	create(CU_MEM_LOCATION_TYPE_DEVICE, -1, CUDA_SUCCESS);
	create(CU_MEM_LOCATION_TYPE_INVALID, 1, CUDA_SUCCESS);
	ALLOCATED(cuMemImportFromShareableHandle, .handle = &handle);
	ALLOCATED(cuMemAddressReserve, .ptr = &address, .size = 7);
	ALLOCATED(cuMemMap, .ptr = address, .size = 8, .handle = handle, .offset = 1);
	CHECK_TRACE("PHYSICAL 500 of 6, flags 100, device 0 by cuMemCreate\n"
		    "PHYSICAL 500 of 6, flags 100, device 255 by cuMemCreate\n"
		    "PHYSICAL 500 of 6 by cuMemCreate\n"
		    "PHYSICAL 500 of 6 by cuMemCreate\n"
		    "PHYSICAL 500 of 6 by cuMemCreate\n"
		    "PHYSICAL 500 of 0 by cuMemImportFromShareableHandle\n"
		    "RESERVED 100 of 7 by cuMemAddressReserve\n"
		    "MAPPED 100 of 8, maps 500 by cuMemMap\n");
}

/* Rights of several devices add up. */
static void test_access(void)
{
	const CUmemAccessDesc none = {.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE};
	const CUmemAccessDesc read = {.flags = CU_MEM_ACCESS_FLAGS_PROT_READ};
	const CUmemAccessDesc write = {.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	const CUmemAccessDesc all[] = {none, read, write};
	ALLOCATED(cuMemSetAccess, .ptr = address, .size = 1, .desc = all, .count = 0);
	for (size_t i = 0; i < 3; i++)
		ALLOCATED(cuMemSetAccess, .ptr = address, .size = 2, .desc = &all[i], .count = 1);
	for (size_t n = 2; n <= 3; n++)
		ALLOCATED(cuMemSetAccess, .ptr = address, .size = 3, .desc = all, .count = n);
	CHECK_TRACE("grant 100 of 1: 0\n"
		    "grant 100 of 2: 0\n"
		    "grant 100 of 2: 10\n"
		    "grant 100 of 2: 30\n"
		    "grant 100 of 3: 10\n"
		    "grant 100 of 3: 30\n");
}

static void test_pools(void)
{
	for (int type = 0; type <= 2; type++) {
		const CUmemPoolProps props = {.allocType = (CUmemAllocationType)type};
		const CUmemAllocationType pool_type = (CUmemAllocationType)type;
		ALLOCATED(cuMemPoolCreate, .poolProps = &props);
		ALLOCATED(cuMemGetDefaultMemPool, .type = pool_type);
		ALLOCATED(cuMemGetMemPool, .type = pool_type);
		ALLOCATED(cuMemAlloc, .bytesize = 1); /* a call that is not followed */
		trace_add("type %d\n", type);
	}
	CHECK_TRACE("type 0\n"
		    "type 1\n"
		    "managed memory\n"
		    "managed memory\n"
		    "managed memory\n"
		    "type 2\n");
}

int main(void)
{
	test_device_memory();
	test_host_memory();
	test_ordered_memory();
	test_arrays();
	test_virtual_memory();
	test_access();
	test_pools();
	return 0;
}

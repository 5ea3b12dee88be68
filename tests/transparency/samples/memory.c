/*
 * memory.c - the kinds of memory.
 */
#include <stdlib.h>
#include <string.h>

#include "samples.h"

int vector_add(struct corpus *corpus)
{
	unsigned left[128], right[128], sum[128];
	CUdeviceptr memory[3];
	CUevent begin, end;
	float milliseconds = -1;

	corpus_open(corpus);
	for (unsigned i = 0; i < 128; i++) {
		left[i] = i;
		right[i] = 1000 * i;
	}
	for (int i = 0; i < 3; i++)
		memory[i] = corpus_buffer(corpus, SAMPLE_BYTES);
	NEED(cuEventCreate(&begin, CU_EVENT_DEFAULT));
	NEED(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
	NEED(cuMemcpyHtoD_v2(memory[0], left, sizeof(left)));
	NEED(cuMemcpyHtoD_v2(memory[1], right, sizeof(right)));
	NEED(cuEventRecord(begin, NULL));
	sample_add(corpus, memory[2], memory[0], memory[1], NULL);
	NEED(cuEventRecord(end, NULL));
	NEED(cuEventSynchronize(end));
	NEED(cuEventElapsedTime(&milliseconds, begin, end));
	NEED(cuMemcpyDtoH_v2(sum, memory[2], sizeof(sum)));
	printf("sum %u, time %s\n", sum[127], milliseconds >= 0 ? "known" : "wrong");
	NEED(cuEventDestroy_v2(begin));
	NEED(cuEventDestroy_v2(end));
	corpus_close(corpus);
	return sum[127] == 127 * 1001 ? 0 : 1;
}

static void use_mapped(struct corpus *corpus)
{
	unsigned *words = NULL, flags = 0;
	void *memory = NULL;
	CUdeviceptr device = 0;

	NEED(cuMemHostAlloc(&memory, SAMPLE_BYTES, CU_MEMHOSTALLOC_DEVICEMAP));
	words = memory;
	NEED(cuMemHostGetDevicePointer_v2(&device, memory, 0));
	say("cuMemHostGetFlags", cuMemHostGetFlags(&flags, memory));
	sample_fill(corpus, device, NULL);
	NEED(cuCtxSynchronize());
	printf("mapped word %u\n", words[5]);
	say("cuMemFreeHost", cuMemFreeHost(memory));
	say("cuMemFreeHost", cuMemFreeHost(memory));
}

static void use_registered(struct corpus *corpus)
{
	void *memory = aligned_alloc(4096, 2 * SAMPLE_BYTES);
	CUdeviceptr data = corpus_buffer(corpus, SAMPLE_BYTES);
	unsigned word = 0;

	if (!memory)
		exit(2);
	memset(memory, 7, 2 * SAMPLE_BYTES);
	say("cuMemHostRegister", cuMemHostRegister_v2(memory, 2 * SAMPLE_BYTES, 0));
	say("cuMemHostRegister", cuMemHostRegister_v2(memory, 2 * SAMPLE_BYTES, 0));
	say("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync_v2(data, memory, SAMPLE_BYTES, NULL));
	say("cuMemHostUnregister", cuMemHostUnregister(memory));
	say("cuMemHostUnregister", cuMemHostUnregister(memory));
	word = sample_word(data);
	printf("registered word %x\n", word);
	free(memory);
}

static void use_managed(struct corpus *corpus)
{
	CUdeviceptr data = 0;
	unsigned kind = 0, is_managed = 0;
	unsigned *words;

	NEED(cuMemAllocManaged(&data, SAMPLE_BYTES, CU_MEM_ATTACH_GLOBAL));
	say("cuPointerGetAttribute",
	    cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data));
	say("cuPointerGetAttribute",
	    cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, data));
	sample_fill(corpus, data, NULL);
	NEED(cuCtxSynchronize());
	words = (unsigned *)(uintptr_t)data;
	printf("managed: type %u, managed %u, word %u\n", kind, is_managed, words[3]);
	say("cuMemFree", cuMemFree_v2(data));
}

int host_memory(struct corpus *corpus)
{
	corpus_open(corpus);
	use_mapped(corpus);
	use_registered(corpus);
	use_managed(corpus);
	corpus_close(corpus);
	return 0;
}

int memory_pools(struct corpus *corpus)
{
	CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
				     .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemoryPool pool = NULL;
	CUdeviceptr left = 0, right = 0;
	CUstream stream;
	cuuint64_t threshold = UINT64_MAX;

	corpus_open(corpus);
	stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	NEED(cuMemPoolCreate(&pool, &properties));
	say("cuMemPoolSetAttribute",
	    cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
	for (int i = 0; i < 20; i++) {
		NEED(cuMemAllocAsync(&left, SAMPLE_BYTES, stream));
		NEED(cuMemAllocFromPoolAsync(&right, SAMPLE_BYTES, pool, stream));
		sample_fill(corpus, left, stream);
		NEED(cuMemcpyDtoDAsync_v2(right, left, SAMPLE_BYTES, stream));
		NEED(cuMemFreeAsync(left, stream));
		NEED(cuMemFreeAsync(right, stream));
	}
	say("cuStreamSynchronize", cuStreamSynchronize(stream));
	say("cuMemPoolTrimTo", cuMemPoolTrimTo(pool, 0));
	say("cuMemPoolDestroy", cuMemPoolDestroy(pool));
	corpus_close(corpus);
	return 0;
}

int virtual_memory(struct corpus *corpus)
{
	CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.location = properties.location,
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUmemGenericAllocationHandle handle = 0;
	CUdeviceptr address = 0;
	size_t size = 0;

	corpus_open(corpus);
	NEED(cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	NEED(cuMemAddressReserve(&address, 2 * size, 0, 0, 0));
	NEED(cuMemCreate(&handle, size, &properties, 0));
	NEED(cuMemMap(address, size, 0, handle, 0));
	NEED(cuMemSetAccess(address, size, &access, 1));
	sample_fill(corpus, address, NULL);
	printf("word %u\n", sample_word(address));
	say("cuMemUnmap", cuMemUnmap(address, size));
	say("cuMemUnmap", cuMemUnmap(address, size));
	say("cuMemRelease", cuMemRelease(handle));
	say("cuMemAddressFree", cuMemAddressFree(address, 2 * size));
	corpus_close(corpus);
	return 0;
}

int rectangles(struct corpus *corpus)
{
	unsigned char host[16][16];
	CUdeviceptr data = 0;
	size_t pitch = 0;
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .dstHost = host,
			      .dstPitch = 16,
			      .WidthInBytes = 16,
			      .Height = 16};

	corpus_open(corpus);
	NEED(cuMemAllocPitch_v2(&data, &pitch, 64, 32, 4));
	copy.srcDevice = data;
	copy.srcPitch = pitch;
	say("cuMemsetD2D8", cuMemsetD2D8_v2(data, pitch, 9, 64, 32));
	say("cuMemsetD2D8Async", cuMemsetD2D8Async(data, pitch, 5, 4, 4, NULL));
	say("cuMemcpy2D", cuMemcpy2D_v2(&copy));
	copy.Height = SIZE_MAX;
	say("cuMemcpy2D", cuMemcpy2D_v2(NULL));
	printf("corners %d %d\n", host[0][0], host[15][15]);
	say("cuMemFree", cuMemFree_v2(data));
	corpus_close(corpus);
	return 0;
}

/* stress.c - a host that does everything at once, for the sanitizers. */
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"
#include "scenarios.h"

enum { N_THREADS = 16, N_STREAMS = 8, N_ROUNDS = 150 };

/* All threads share these. Any thread records the events and waits for them. */
static CUstream streams[N_STREAMS];
static CUevent events[N_STREAMS];
static _Atomic CUresult first_error;

/* False from the first error on, which is the failure's. */
static bool is_fine(CUresult result)
{
	CUresult none = CUDA_SUCCESS;

	if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY)
		return true;
	atomic_compare_exchange_strong(&first_error, &none, result);
	return false;
}

static void make_streams(void)
{
	for (int i = 0; i < N_STREAMS; i++) {
		NEED(cuStreamCreate(&streams[i], i % 2 ? CU_STREAM_NON_BLOCKING : 0));
		NEED(cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING));
	}
}

static bool submit(unsigned seed)
{
	CUstream stream = streams[seed % N_STREAMS];
	CUevent event = events[seed / 3 % N_STREAMS];

	return is_fine(host_fill(stream)) && is_fine(cuEventRecord(event, stream)) &&
	       is_fine(cuStreamWaitEvent(streams[(seed + 1) % N_STREAMS], event, 0)) &&
	       is_fine(host_fill(seed % 5 ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY));
}

static bool ask(unsigned seed)
{
	switch (seed % 5) {
	case 0:
		return is_fine(cuStreamQuery(streams[seed % N_STREAMS]));
	case 1:
		return is_fine(cuEventQuery(events[seed % N_STREAMS]));
	case 2:
		return is_fine(cuStreamSynchronize(streams[seed % N_STREAMS]));
	case 3:
		return is_fine(cuEventSynchronize(events[seed % N_STREAMS]));
	default:
		return is_fine(cuCtxSynchronize());
	}
}

static bool use_memory(unsigned seed)
{
	char bytes[64];
	CUdeviceptr memory;

	if (!is_fine(cuMemAlloc(&memory, 256 + seed % 4096)))
		return false;
	return is_fine(cuMemsetD8Async(memory, 1, 64, CU_STREAM_PER_THREAD)) &&
	       is_fine(cuMemcpyDtoHAsync(bytes, memory, sizeof(bytes), CU_STREAM_PER_THREAD)) &&
	       is_fine(cuStreamSynchronize(CU_STREAM_PER_THREAD)) && is_fine(cuMemFree(memory));
}

static bool use_module(void)
{
	char path[2 * PATH_MAX];
	CUmodule module;
	CUfunction function;

	host_kernel_path("spin", path, sizeof(path));
	return is_fine(cuModuleLoad(&module, path)) &&
	       is_fine(cuModuleGetFunction(&function, module, "spin")) &&
	       is_fine(cuModuleUnload(module));
}

static bool use_stream(void)
{
	CUstream stream;

	return is_fine(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) &&
	       is_fine(host_fill(stream)) && is_fine(cuStreamSynchronize(stream)) &&
	       is_fine(cuStreamDestroy(stream));
}

static bool work(unsigned seed)
{
	if (!submit(seed) || !ask(seed))
		return false;
	switch (seed % 16) {
	case 3:
		return use_module();
	case 5:
	case 11:
		return use_stream();
	case 7:
		return use_memory(seed);
	default:
		return true;
	}
}

/*
 * The other threads continue until they see the failure that the first one causes after its rounds.
 */
static void work_until_failure(unsigned index)
{
	unsigned seed = index * 7919;

	for (unsigned i = 0; i < N_ROUNDS || index; i++) {
		seed = seed * 1103515245 + 12345;
		if (!work(seed >> 16))
			return;
	}
	(void)host_stray(streams[3]);
	while (is_fine(cuCtxSynchronize()))
		;
}

int stress(void)
{
	host_open();
	make_streams();
	host_threads(N_THREADS, 0, work_until_failure);
	printf("failure %d\n", (int)atomic_load(&first_error));
	for (int i = 0; i < N_STREAMS; i++) {
		(void)cuStreamDestroy(streams[i]);
		(void)cuEventDestroy(events[i]);
	}
	return 1;
}

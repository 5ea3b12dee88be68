/*
 * owned.c - the contexts, memory, streams and kernels of the program.
 */
#include "owned.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void need(CUresult code, const char *call)
{
	if (code == CUDA_SUCCESS)
		return;
	fprintf(stderr, "first: %s returned %d\n", call, (int)code);
	_exit(2);
}

CUresult fill_data(struct owned *owned, CUstream stream)
{
	unsigned tag = 1, count = 32;
	void *parameters[] = {&tag, &owned->data, &count};

	return cuLaunchKernel(owned->fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, NULL);
}

void owned_fail(struct owned *owned)
{
	unsigned tag = 2;
	unsigned long long far_index = 1ull << 43; /* 32 TiB after the array nothing is mapped */
	void *parameters[] = {&tag, &owned->data, &far_index};

	NEED(cuLaunchKernel(owned->stray_store, 1, 1, 1, 32, 1, 1, 0, owned->stream, parameters,
			    NULL));
}

/* The kernels are in lib/ beside the bin/ of this program, built for a GPU and for simcuda. */
static void find_kernel(const char *name, char *out, size_t size)
{
	char program[PATH_MAX], device[128];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	NEED(cuDeviceGetName(device, sizeof(device), 0));
	bool is_simulated = strstr(device, "simcuda") != NULL;
	program[length > 0 ? length : 0] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(out, size, "%s/../lib/%s-kernels/%s.%s", program, is_simulated ? "simcuda" : "gpu",
		 name, is_simulated ? "so" : "fatbin");
}

static CUfunction load(struct owned *owned, const char *name)
{
	CUfunction function;

	find_kernel(name, owned->path, sizeof(owned->path));
	NEED(cuModuleLoad(&owned->module, owned->path));
	NEED(cuModuleGetFunction(&function, owned->module, name));
	return function;
}

static void make_context(struct owned *owned, bool is_own)
{
	NEED(cuInit(0));
	if (is_own) {
		NEED(cuCtxCreate_v2(&owned->context, 0, 0));
		return;
	}
	NEED(cuDevicePrimaryCtxRetain(&owned->context, 0));
	NEED(cuCtxSetCurrent(owned->context));
}

void owned_make(struct owned *owned, bool is_own_context)
{
	make_context(owned, is_own_context);
	NEED(cuMemAlloc(&owned->data, FIRST_BYTES));
	NEED(cuMemAlloc(&owned->other, FIRST_BYTES));
	NEED(cuMemHostAlloc(&owned->host, FIRST_BYTES, 0));
	owned->registered = aligned_alloc(FIRST_BYTES, FIRST_BYTES);
	NEED(cuMemHostRegister(owned->registered, FIRST_BYTES, 0));
	NEED(cuStreamCreate(&owned->stream, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&owned->event, CU_EVENT_DISABLE_TIMING));
	owned->stray_store = load(owned, "stray_store");
	owned->fill = load(owned, "fill");
	NEED(fill_data(owned, owned->stream));
	NEED(cuStreamSynchronize(owned->stream));
}

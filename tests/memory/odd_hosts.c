/*
 * odd_hosts.c - refused calls in unusual states of the host: with little stack, about to be
 * cancelled, in a capture, without a context.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

static CUfunction function;

static void refuse_once(void)
{
	CUdeviceptr data;
	unsigned tag = 1, count = 1;
	void *parameters[] = {&tag, &data, &count};

	NEED(cuMemAlloc(&data, 4096));
	NEED_TRUE(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL) ==
		  CUDA_ERROR_INVALID_VALUE);
}

/* Only the last call here is a cancellation point. */
static void *refuse_cancelled(void *has_survived)
{
	host_use();
	NEED_TRUE(pthread_cancel(pthread_self()) == 0);
	refuse_once();
	*(bool *)has_survived = true;
	pthread_testcancel();
	return NULL;
}

static void *refuse_here(void *unused)
{
	(void)unused;
	host_use();
	refuse_once();
	return NULL;
}

/* Ask for memory that is refused, then exit the process. */
static void *exhaust_and_exit(void *unused)
{
	CUdeviceptr more;

	(void)unused;
	host_use();
	NEED_TRUE(cuMemAlloc(&more, (size_t)80 << 20) == CUDA_ERROR_OUT_OF_MEMORY);
	exit(0);
}

static void in_thread(size_t stack_bytes, void *(*body)(void *), void *argument)
{
	pthread_attr_t attributes;
	pthread_t thread;

	NEED_TRUE(pthread_attr_init(&attributes) == 0);
	if (stack_bytes)
		NEED_TRUE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
	NEED_TRUE(pthread_create(&thread, &attributes, body, argument) == 0);
	NEED_TRUE(pthread_join(thread, NULL) == 0);
}

/*
 * While a thread captures, it may not free memory. The memory whose free was refused still exists.
 */
static void free_in_capture(void)
{
	CUdeviceptr data;
	CUstream stream;
	CUgraph graph;

	NEED(cuMemAlloc(&data, 12345));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	NEED_TRUE(cuMemFree(data) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	(void)cuStreamEndCapture(stream, &graph);
}

static void create_without_context(void)
{
	CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
	CUmemGenericAllocationHandle handle;

	NEED(cuCtxSetCurrent(NULL));
	NEED_TRUE(cuMemCreate(&handle, (size_t)1 << 40, &properties, 0) ==
		  CUDA_ERROR_OUT_OF_MEMORY);
}

int be_odd(const char *what)
{
	bool has_survived = false;
	char path[2 * PATH_MAX];
	CUmodule module;

	host_kernel_path("fill", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, "fill"));
	if (!strcmp(what, "cancelled")) {
		in_thread(0, refuse_cancelled, &has_survived);
		NEED_TRUE(has_survived);
	} else if (!strcmp(what, "little_stack")) {
		in_thread((size_t)PTHREAD_STACK_MIN, refuse_here, NULL);
	} else if (!strcmp(what, "exhausted")) {
		in_thread((size_t)PTHREAD_STACK_MIN, exhaust_and_exit, NULL);
	} else if (!strcmp(what, "capture")) {
		free_in_capture();
	} else {
		create_without_context();
	}
	return 0;
}

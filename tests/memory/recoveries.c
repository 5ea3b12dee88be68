/*
 * recoveries.c - programs that recover from a refusal of the driver, of a kind that frameworks
 * meet, and the same programs without recovery.
 */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum { MEBIBYTE = 1 << 20, FAILED_STATUS = 3 };

static CUresult launch(unsigned grid)
{
	char path[2 * PATH_MAX];
	unsigned tag = 1, count = 1;
	CUdeviceptr data;
	CUmodule module;
	CUfunction function;
	void *parameters[] = {&tag, &data, &count};

	host_kernel_path("fill", path, sizeof(path));
	NEED(cuMemAlloc(&data, 4096));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, "fill"));
	return cuLaunchKernel(function, grid, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL);
}

/* NCCL loads the newest image first. */
static void refuse_image(void)
{
	CUmodule module;

	NEED_TRUE(cuModuleLoadData(&module, "\x01\x02") == CUDA_ERROR_INVALID_IMAGE);
}

static void refuse_launch(void)
{
	NEED_TRUE(launch(0) == CUDA_ERROR_INVALID_VALUE);
}

static void refuse_pointer(void)
{
	CUdeviceptr mapped;
	char *memory = malloc(4096);

	NEED_TRUE(cuMemHostGetDevicePointer(&mapped, memory, 0) == CUDA_ERROR_INVALID_VALUE);
	free(memory);
}

/* Ask for more than any device has. */
static void probe_memory(void)
{
	CUdeviceptr address;

	NEED_TRUE(cuMemAlloc(&address, (size_t)1 << 50) == CUDA_ERROR_OUT_OF_MEMORY);
}

static void find_batch_size(void)
{
	size_t size = (size_t)1 << 40;
	CUdeviceptr address;

	while (cuMemAlloc(&address, size) == CUDA_ERROR_OUT_OF_MEMORY)
		size /= 2;
	NEED_TRUE(size >= MEBIBYTE);
	NEED(cuMemFree(address));
}

/* Free the cached memory, and try again. */
static void retry(void)
{
	CUdeviceptr cached, wanted;

	NEED(cuMemAlloc(&cached, (size_t)40 * MEBIBYTE));
	NEED_TRUE(cuMemAlloc(&wanted, (size_t)32 * MEBIBYTE) == CUDA_ERROR_OUT_OF_MEMORY);
	NEED(cuMemFree(cached));
	NEED(cuMemAlloc(&wanted, (size_t)32 * MEBIBYTE));
}

static const struct {
	const char *name;
	void (*run)(void);
} causes[] = {
	{"image", refuse_image},  {"launch", refuse_launch},  {"pointer", refuse_pointer},
	{"memory", probe_memory}, {"batch", find_batch_size}, {"retry", retry},
};

/* End the program as `how` says. Returns the exit status if main is to return it. */
static int end(const char *how)
{
	if (!strcmp(how, "exit"))
		exit(FAILED_STATUS);
	if (!strcmp(how, "_exit"))
		_exit(FAILED_STATUS);
	if (!strcmp(how, "quick_exit"))
		quick_exit(FAILED_STATUS);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		(void)raise(SIGKILL);
	return strcmp(how, "return") ? 0 : FAILED_STATUS;
}

int recover(const char *what)
{
	size_t length = strcspn(what, ":");
	const char *how = what + length + (what[length] ? 1 : 0);
	bool goes_on = !*how || strchr(how, '+');

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (!strncmp(causes[i].name, what, length))
			causes[i].run();
	if (goes_on)
		NEED(launch(1));
	NEED(cuCtxSynchronize());
	puts("done");
	(void)fflush(stdout);
	return end(how + strspn(how, "+"));
}

/*
 * structures.c - hosts that launch kernels with large structures among their parameters, as PyTorch
 * does.
 */
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum { N_SIZES = 3, N_EACH = 300, MAX_WORDS = 4000 / 8, BYTES = 4096 };

static const unsigned sizes[N_SIZES] = {216, 1000, 4000};
static CUfunction functions[N_SIZES];
static CUdeviceptr data[2];

static void open_structures(void)
{
	char path[2 * PATH_MAX];
	CUmodule module;

	host_open();
	host_kernel_path("structures", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	for (int i = 0; i < N_SIZES; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "structure_%u", sizes[i]);
		NEED(cuModuleGetFunction(&functions[i], module, name));
	}
	for (int i = 0; i < 2; i++)
		NEED(cuMemAlloc(&data[i], BYTES));
}

/* The third word is the address of the store; the last one points to memory as well. */
static void launch_structure(int which, unsigned tag, CUdeviceptr target)
{
	uint64_t words[MAX_WORDS] = {0};
	void *parameters[] = {&tag, words};

	words[2] = target;
	words[sizes[which] / 8 - 1] = data[1] + 8;
	NEED(cuLaunchKernel(functions[which], 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
}

static void launch_many(void)
{
	for (unsigned i = 0; i < N_EACH; i++) {
		for (int which = 0; which < N_SIZES; which++)
			launch_structure(which, i + 1, data[0]);
	}
	NEED(cuCtxSynchronize());
}

int structures(void)
{
	CUresult result;

	open_structures();
	launch_many();
	launch_structure(2, 7, 8);
	result = cuCtxSynchronize();
	printf("cuCtxSynchronize %d\n", result);
	return result != CUDA_SUCCESS;
}

int structures_killed(void)
{
	open_structures();
	launch_many();
	return kill(getpid(), SIGKILL);
}

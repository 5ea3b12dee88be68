/*
 * refusals.c - launches that the driver refuses, each for a different reason, and good launches
 * after them.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

struct rejection {
	const char *name;
	const char *kernel;
	unsigned grid[3], block[3], cluster[3];
	unsigned shared;
	bool is_cooperative;
	CUresult code;
};

static const struct rejection refusals[] = {
	{"grid_zero", "fill", {0, 1, 1}, {32, 1, 1}, {0}, 0, false, CUDA_ERROR_INVALID_VALUE},
	{"block_zero", "fill", {1, 1, 1}, {32, 1, 0}, {0}, 0, false, CUDA_ERROR_INVALID_VALUE},
	{"block_dim", "fill", {1, 1, 1}, {1, 1, 65}, {0}, 0, false, CUDA_ERROR_INVALID_VALUE},
	{"block_threads", "fill", {1, 1, 1}, {64, 32, 1}, {0}, 0, false, CUDA_ERROR_INVALID_VALUE},
	{"grid_dim", "fill", {1, 65536, 1}, {32, 1, 1}, {0}, 0, false, CUDA_ERROR_INVALID_VALUE},
	{"cluster_divides",
	 "fill",
	 {9, 1, 1},
	 {32, 1, 1},
	 {2, 1, 1},
	 0,
	 false,
	 CUDA_ERROR_INVALID_CLUSTER_SIZE},
	{"cluster_size",
	 "fill",
	 {16, 1, 1},
	 {32, 1, 1},
	 {16, 1, 1},
	 0,
	 false,
	 CUDA_ERROR_INVALID_CLUSTER_SIZE},
	{"registers",
	 "crowded",
	 {1, 1, 1},
	 {1024, 1, 1},
	 {0},
	 0,
	 false,
	 CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
	{"shared", "fill", {1, 1, 1}, {32, 1, 1}, {0}, 50000, false, CUDA_ERROR_INVALID_VALUE},
	{"shared_device",
	 "fill",
	 {1, 1, 1},
	 {32, 1, 1},
	 {0},
	 300000,
	 false,
	 CUDA_ERROR_INVALID_VALUE},
	{"cooperative",
	 "fill",
	 {4225, 1, 1},
	 {32, 1, 1},
	 {0},
	 0,
	 true,
	 CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE},
};

static CUfunction load(const char *kernel)
{
	char path[2 * PATH_MAX];
	CUmodule module;
	CUfunction function;

	host_kernel_path(kernel, path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, kernel));
	return function;
}

static CUresult launch(const struct rejection *rejection, CUfunction function, void **parameters)
{
	CUlaunchAttribute attributes[2];
	CUlaunchConfig config = {.gridDimX = rejection->grid[0],
				 .gridDimY = rejection->grid[1],
				 .gridDimZ = rejection->grid[2],
				 .blockDimX = rejection->block[0],
				 .blockDimY = rejection->block[1],
				 .blockDimZ = rejection->block[2],
				 .sharedMemBytes = rejection->shared,
				 .attrs = attributes};

	memset(attributes, 0, sizeof(attributes));
	if (rejection->cluster[0] > 0) {
		attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
		attributes[config.numAttrs].value.clusterDim.x = rejection->cluster[0];
		attributes[config.numAttrs].value.clusterDim.y = rejection->cluster[1];
		attributes[config.numAttrs++].value.clusterDim.z = rejection->cluster[2];
	}
	if (rejection->is_cooperative) {
		attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
		attributes[config.numAttrs++].value.cooperative = 1;
	}
	return cuLaunchKernelEx(&config, function, parameters, NULL);
}

/* A GPU's driver may answer differently from simcuda; in that case, print its answer. */
static void expect(const struct rejection *rejection, CUresult code)
{
	if (code != rejection->code)
		fprintf(stderr, "refusals: %s: %d, not %d\n", rejection->name, (int)code,
			(int)rejection->code);
	NEED_TRUE(code == rejection->code);
}

/* Make the refused launch three times from one place; the program then continues as usual. */
static void refuse(const struct rejection *rejection)
{
	CUdeviceptr data;
	unsigned tag = 1, count = 1;
	void *parameters[] = {&tag, &data, &count};

	CUfunction function = load(rejection->kernel);

	NEED(cuMemAlloc(&data, 4096));
	for (int i = 0; i < 3; i++)
		expect(rejection, launch(rejection, function, parameters));
	host_launch_some(4);
}

int refuse_launches(const char *what)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		if (!*what || !strcmp(what, refusals[i].name))
			refuse(&refusals[i]);
	}
	return 0;
}

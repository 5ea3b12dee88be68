/*
 * limits.c - launches just beyond the limits of the device and of the kernel, one for each limit.
 * Each case first prints the rule and the numbers that the report must contain.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { MAX_NUMBERS = 4 };

struct attempt {
	const char *kernel;
	unsigned grid[3], block[3], cluster, shared;
	bool is_cooperative;
	CUresult code;
	const char *rule;
	uint64_t numbers[MAX_NUMBERS];
};

static unsigned of_device(CUdevice_attribute attribute)
{
	int value;

	NEED(cuDeviceGetAttribute(&value, attribute, 0));
	return (unsigned)value;
}

static unsigned of_kernel(const char *kernel, CUfunction_attribute attribute)
{
	int value;

	NEED(cuFuncGetAttribute(&value, attribute, host_kernel(kernel)));
	return (unsigned)value;
}

static void skip(const char *why)
{
	printf("{\"skipped\": \"%s\"}\n", why);
	exit(0);
}

static void expect_numbers(struct attempt *attempt, uint64_t value, uint64_t limit)
{
	attempt->numbers[0] = value;
	attempt->numbers[1] = limit;
}

static void have_no_grid(struct attempt *attempt)
{
	attempt->grid[1] = 0;
	attempt->rule = "grid_is_zero";
}

static void have_no_block(struct attempt *attempt)
{
	attempt->block[2] = 0;
	attempt->rule = "block_is_zero";
}

static void exceed_dimension(struct attempt *attempt, unsigned *dimension,
			     CUdevice_attribute attribute)
{
	unsigned limit = of_device(attribute);

	*dimension = limit + 1;
	expect_numbers(attempt, (uint64_t)limit + 1, limit);
}

static void exceed_block_x(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->block[0], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
	attempt->rule = "block_exceeds_device";
}

static void exceed_block_y(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->block[1], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
	attempt->rule = "block_exceeds_device";
}

static void exceed_block_z(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->block[2], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
	attempt->rule = "block_exceeds_device";
}

static void exceed_grid_x(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->grid[0], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
	attempt->rule = "grid_exceeds_device";
}

static void exceed_grid_y(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->grid[1], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
	attempt->rule = "grid_exceeds_device";
}

static void exceed_grid_z(struct attempt *attempt)
{
	exceed_dimension(attempt, &attempt->grid[2], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
	attempt->rule = "grid_exceeds_device";
}

static void exceed_threads(struct attempt *attempt)
{
	unsigned limit = of_device(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);

	attempt->block[0] = 2;
	attempt->block[1] = limit / 2 + 1;
	attempt->rule = "block_threads_exceed_device";
	expect_numbers(attempt, (uint64_t)2 * (limit / 2 + 1), limit);
}

/*
 * Launch a kernel that uses many registers with as many threads as a block may have. The kernel's
 * launch bounds may hide that it needs too many.
 */
static void exceed_registers(struct attempt *attempt)
{
	unsigned registers, limit = of_device(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
	unsigned threads = of_device(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);

	attempt->kernel = "crowded";
	registers = of_kernel("crowded", CU_FUNC_ATTRIBUTE_NUM_REGS);
	if (of_kernel("crowded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) >= threads)
		skip("the kernel has few registers here");
	attempt->block[0] = threads;
	attempt->code = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	attempt->numbers[0] = of_kernel("crowded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	attempt->rule = "block_threads_exceed_function";
	if ((uint64_t)registers * threads <= limit)
		return;
	attempt->rule = "registers_exceed_device";
	attempt->numbers[1] = (uint64_t)registers * threads;
	attempt->numbers[2] = limit;
}

static void exceed_bounds(struct attempt *attempt)
{
	unsigned limit;

	attempt->kernel = "bounded";
	limit = of_kernel("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	attempt->block[0] = limit + 1;
	/*
	 * An H200's driver returns 1 (580.159). simcuda does not know registers, so it makes no
	 * difference.
	 */
	attempt->code =
		host_is_gpu() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	attempt->rule = "block_threads_exceed_function";
	expect_numbers(attempt, limit + 1, limit);
}

static void exceed_shared(struct attempt *attempt)
{
	unsigned limit = of_kernel("fill", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

	attempt->shared = limit + 1;
	attempt->rule = "dynamic_shared_exceeds_function";
	expect_numbers(attempt, limit + 1, limit);
}

static void exceed_shared_of_device(struct attempt *attempt)
{
	unsigned limit = of_device(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

	attempt->shared = limit + 1;
	attempt->rule = "dynamic_shared_exceeds_function";
	expect_numbers(attempt, limit + 1, limit);
}

/* Launch the kernel with more dynamic shared memory than it is allowed. */
static void exceed_allowed_shared(struct attempt *attempt)
{
	const unsigned limit = 60000;

	NEED(cuFuncSetAttribute(host_kernel("fill"),
				CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)limit));
	attempt->shared = limit + 1;
	attempt->rule = "dynamic_shared_exceeds_function";
	expect_numbers(attempt, limit + 1, limit);
}

static void exceed_cooperative(struct attempt *attempt, unsigned threads)
{
	unsigned n_processors = of_device(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	int resident;

	NEED(cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, host_kernel("fill"),
							 (int)threads, 0));
	attempt->block[0] = threads;
	attempt->grid[0] = (unsigned)resident * n_processors + 1;
	attempt->is_cooperative = true;
	attempt->code = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	attempt->rule = "cooperative_grid_exceeds_device";
	expect_numbers(attempt, attempt->grid[0], attempt->grid[0] - 1);
	attempt->numbers[2] = (uint64_t)resident;
	attempt->numbers[3] = n_processors;
}

static void exceed_cooperative_small(struct attempt *attempt)
{
	exceed_cooperative(attempt, 32);
}

static void exceed_cooperative_large(struct attempt *attempt)
{
	exceed_cooperative(attempt, 1024);
}

static void break_cluster(struct attempt *attempt)
{
	attempt->grid[0] = 9;
	attempt->cluster = 2;
	attempt->code = CUDA_ERROR_INVALID_CLUSTER_SIZE;
	attempt->rule = "cluster_does_not_divide_grid";
	expect_numbers(attempt, 9, 2);
}

static void exceed_cluster(struct attempt *attempt)
{
	attempt->grid[0] = attempt->cluster = 16;
	attempt->code = CUDA_ERROR_INVALID_CLUSTER_SIZE;
	attempt->rule = "cluster_exceeds_maximum";
	expect_numbers(attempt, 16, 8);
}

static const struct {
	const char *name;
	void (*make)(struct attempt *attempt);
} attempts[] = {
	{"no_grid", have_no_grid},
	{"no_block", have_no_block},
	{"block_x", exceed_block_x},
	{"block_y", exceed_block_y},
	{"block_z", exceed_block_z},
	{"grid_x", exceed_grid_x},
	{"grid_y", exceed_grid_y},
	{"grid_z", exceed_grid_z},
	{"threads", exceed_threads},
	{"registers", exceed_registers},
	{"bounds", exceed_bounds},
	{"shared", exceed_shared},
	{"shared_of_device", exceed_shared_of_device},
	{"shared_allowed", exceed_allowed_shared},
	{"cooperative_small", exceed_cooperative_small},
	{"cooperative_large", exceed_cooperative_large},
	{"cluster_divides", break_cluster},
	{"cluster_size", exceed_cluster},
};

static void tell(const struct attempt *attempt)
{
	const char *separator = "";

	printf("{\"code\": %d, \"rule\": \"launch.%s\", \"numbers\": [", (int)attempt->code,
	       attempt->rule);
	for (int i = 0; i < MAX_NUMBERS && attempt->numbers[i] > 0; i++) {
		printf("%s%" PRIu64, separator, attempt->numbers[i]);
		separator = ", ";
	}
	puts("]}");
	fflush(stdout);
}

static CUresult launch(const struct attempt *attempt)
{
	CUdeviceptr data;
	unsigned tag = 1, count = 1;
	void *parameters[] = {&tag, &data, &count};
	CUlaunchAttribute attributes[2];
	CUlaunchConfig config = {attempt->grid[0],  attempt->grid[1],
				 attempt->grid[2],  attempt->block[0],
				 attempt->block[1], attempt->block[2],
				 attempt->shared,   NULL,
				 attributes,        0};

	memset(attributes, 0, sizeof(attributes));
	NEED(cuMemAlloc(&data, 4096));
	if (attempt->cluster > 0) {
		attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
		attributes[config.numAttrs].value.clusterDim.x = attempt->cluster;
		attributes[config.numAttrs].value.clusterDim.y = 1;
		attributes[config.numAttrs++].value.clusterDim.z = 1;
	}
	if (attempt->is_cooperative) {
		attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
		attributes[config.numAttrs++].value.cooperative = 1;
	}
	return cuLaunchKernelEx(&config, host_kernel(attempt->kernel), parameters, NULL);
}

int exceed_limits(const char *what)
{
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		struct attempt attempt = {.kernel = "fill",
					  .grid = {1, 1, 1},
					  .block = {1, 1, 1},
					  .code = CUDA_ERROR_INVALID_VALUE};

		if (!*what)
			puts(attempts[i].name);
		if (strcmp(what, attempts[i].name) != 0)
			continue;
		attempts[i].make(&attempt);
		tell(&attempt);
		printf("%d\n", (int)launch(&attempt));
		host_launch_some(2);
		return 0;
	}
	return *what ? 2 : 0;
}

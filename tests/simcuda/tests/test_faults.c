/*
 * test_faults.c - the code of each kind of fault, and valid accesses near the limits.
 */

#include "test.h"

static CUdeviceptr data;

static void start_with_data(void)
{
	test_start();
	OK(cuMemAlloc(&data, 256));
}

static void expect_code(const char *kernel, void **params, CUresult code)
{
	OK(test_launch(kernel, NULL, params));
	CHECK_EQUAL(cuCtxSynchronize(), code);
	CHECK_EQUAL(cuCtxSynchronize(), code);
}

static void stray_store(void)
{
	size_t index = (size_t)1 << 28;
	int value = 1;
	void *params[] = {&data, &index, &value};
	start_with_data();
	expect_code("store", params, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* One element past the end: the allocation's size is a multiple of 256, so this faults. */
static void overrun_by_one(void)
{
	size_t index = 256 / sizeof(int);
	int value = 1;
	void *params[] = {&data, &index, &value};
	start_with_data();
	expect_code("store", params, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void last_element_is_fine(void)
{
	size_t index = 256 / sizeof(int) - 1;
	int value = 1;
	void *params[] = {&data, &index, &value};
	start_with_data();
	expect_code("store", params, CUDA_SUCCESS);
}

static void use_after_free(void)
{
	size_t index = 0;
	int value = 1;
	void *params[] = {&data, &index, &value};
	start_with_data();
	OK(cuMemFree(data));
	for (int i = 0; i < 100; i++) { /* must not return the freed address */
		CUdeviceptr other = 0;
		OK(cuMemAlloc(&other, 256));
		CHECK(other != data);
	}
	expect_code("store", params, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void use_after_free_async(void)
{
	size_t index = 0;
	int value = 1;
	void *params[] = {&data, &index, &value};
	test_start();
	OK(cuMemAllocAsync(&data, 256, NULL));
	OK(test_launch("store", NULL, params));
	OK(cuMemFreeAsync(data, NULL));
	expect_code("store", params, CUDA_ERROR_ILLEGAL_ADDRESS);
}

#ifndef __SANITIZE_THREAD__
static void misaligned(void)
{
	void *params[] = {&data};
	start_with_data();
	expect_code("misaligned", params, CUDA_ERROR_MISALIGNED_ADDRESS);
}
#endif

static void device_assert(void)
{
	int value = 0;
	void *params[] = {&value};
	start_with_data();
	OK(test_launch("check", NULL, params));
	OK(cuCtxSynchronize());
	value = 1;
	expect_code("check", params, CUDA_ERROR_ASSERT);
}

static void trap(void)
{
	start_with_data();
	expect_code("trap", NULL, CUDA_ERROR_LAUNCH_FAILED);
}

static void illegal_instruction(void)
{
	start_with_data();
	expect_code("illegal", NULL, CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

static void data_run_as_code(void)
{
	void *params[] = {&data};
	start_with_data();
	expect_code("jump", params, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void stack_overflow(void)
{
	start_with_data();
	expect_code("recurse", NULL, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void shared_out_of_bounds(void)
{
	unsigned index = 31;
	void *params[] = {&index};
	start_with_data();
	CUfunction function = test_function("shared_store");
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 128, NULL, params, NULL));
	OK(cuCtxSynchronize());
	index = 32;
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 128, NULL, params, NULL));
	CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

/* The copy waits for a kernel while its destination is unmapped. */
static void copy_to_unmapped_memory(void)
{
	CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUmemGenericAllocationHandle handle = 0;
	CUdeviceptr range = 0;
	size_t size = (size_t)2 << 20;
	test_start();
	int *source = test_pinned(16);
	OK(cuMemAddressReserve(&range, size, 0, 0, 0));
	OK(cuMemCreate(&handle, size, &properties, 0));
	OK(cuMemMap(range, size, 0, handle, 0));
	OK(cuMemSetAccess(range, size, &access, 1));
	OK(cuMemcpyHtoD(range, source, 64));
	int *flag = test_hold(NULL);
	OK(cuMemcpyHtoDAsync(range, source, 64, NULL));
	OK(cuMemUnmap(range, size));
	test_release(flag);
	CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
	OK(cuMemRelease(handle));
	OK(cuMemAddressFree(range, size));
}

static const struct test_case cases[] = {
	{"stray_store", stray_store, {NULL}},
	{"overrun_by_one", overrun_by_one, {NULL}},
	{"last_element_is_fine", last_element_is_fine, {NULL}},
	{"use_after_free", use_after_free, {NULL}},
	{"use_after_free_async", use_after_free_async, {NULL}},
#ifndef __SANITIZE_THREAD__ /* kernel_run.c says why */
	{"misaligned", misaligned, {NULL}},
#endif
	{"device_assert", device_assert, {NULL}},
	{"trap", trap, {NULL}},
	{"illegal_instruction", illegal_instruction, {NULL}},
	{"data_run_as_code", data_run_as_code, {NULL}},
	{"stack_overflow", stack_overflow, {NULL}},
	{"shared_out_of_bounds", shared_out_of_bounds, {NULL}},
	{"copy_to_unmapped_memory", copy_to_unmapped_memory, {NULL}},
};

TEST_MAIN(cases)

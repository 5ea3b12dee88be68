/*
 * test_launches.c - modules, functions, libraries, and all forms of launches.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static const void *read_image(void)
{
	int fd = open(TEST_KERNELS, O_RDONLY);
	struct stat status;
	CHECK(fd >= 0 && fstat(fd, &status) == 0);
	void *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(image != MAP_FAILED);
	return image;
}

static void grids(void)
{
	enum { N = 3 * 2 * 2 * 8 * 4 * 2 };
	unsigned *words = NULL;
	void *params[] = {&words};
	test_start();
	words = (unsigned *)test_pinned(N);
	OK(cuLaunchKernel(test_function("index_of"), 3, 2, 2, 8, 4, 2, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	for (unsigned i = 0; i < N; i++)
		CHECK_EQUAL(words[i], i);
}

/* Run it twice, so that a second block uses the stacks of the first one. */
static void barriers(void)
{
	int *words = NULL;
	void *params[] = {&words};
	test_start();
	words = test_pinned(256);
	for (int i = 0; i < 256; i++)
		words[i] = i;
	for (int i = 0; i < 3; i++)
		OK(cuLaunchKernel(test_function("reverse"), 1, 1, 1, 256, 1, 1, 0, NULL, params,
				  NULL));
	OK(cuCtxSynchronize());
	for (int i = 0; i < 256; i++)
		CHECK_EQUAL(words[i], 255 - i);
}

static void parameters(void)
{
	char a = 1;
	double b = 20;
	short c = 300;
	int *result = NULL;
	void *params[] = {&a, &b, &c, &result};
	unsigned char buffer[32] = {0};
	size_t size = sizeof(buffer);
	size_t offset = 0;
	size_t param_size = 0;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};
	const char *name = NULL;
	test_start();
	result = test_pinned(1);
	CUfunction function = test_function("mixed");
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*result, 321);
	buffer[0] = 2;
	memcpy(buffer + 8, &b, sizeof(b));
	memcpy(buffer + 16, &c, sizeof(c));
	memcpy(buffer + 24, &result, sizeof(result));
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*result, 322);
	OK(cuFuncGetName(&name, function));
	CHECK(strcmp(name, "mixed") == 0);
	OK(cuFuncGetParamInfo(function, 2, &offset, &param_size));
	CHECK_EQUAL(offset, 16);
	CHECK_EQUAL(param_size, 2);
	CHECK_EQUAL(cuFuncGetParamInfo(function, 4, &offset, &param_size),
		    CUDA_ERROR_INVALID_VALUE);
}

static CUresult launch_shape(const char *name, unsigned grid, unsigned block, unsigned shared)
{
	int *word = test_pinned(1);
	void *params[] = {&word};
	return cuLaunchKernel(test_function(name), grid, 1, 1, block, 1, 1, shared, NULL, params,
			      NULL);
}

/* These launches are refused without a fault, so the next launch works. */
static void impossible_launches(void)
{
	int *word = NULL;
	void *params[] = {&word};
	test_start();
	word = test_pinned(1);
	CUfunction function = test_function("bounded");
	CHECK_EQUAL(launch_shape("bounded", 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(launch_shape("bounded", 1, 1025, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(launch_shape("bounded", 1, 65, 0), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
	CHECK_EQUAL(launch_shape("bounded", 1, 1, 49 << 10), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
	OK(launch_shape("bounded", 1, 64, 49 << 10));
	CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
		    CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuLaunchKernel((CUfunction)&word, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
		    CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, (CUstream)&word, params, NULL),
		    CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQUAL(cuLaunchCooperativeKernel(function, 1 << 20, 1, 1, 64, 1, 1, 0, NULL, params),
		    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
	OK(cuCtxSynchronize());
}

/* The oldest form is deprecated but still exists. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void forms_of_launch(void)
{
	CUlaunchAttribute attributes[] = {
		{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {2, 1, 1}},
		{.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
		 .value.programmaticStreamSerializationAllowed = 1}};
	CUlaunchConfig config = {.gridDimX = 4,
				 .gridDimY = 1,
				 .gridDimZ = 1,
				 .blockDimX = 1,
				 .blockDimY = 1,
				 .blockDimZ = 1,
				 .attrs = attributes,
				 .numAttrs = 2};
	int *word = NULL;
	void *params[] = {&word};
	test_start();
	word = test_pinned(1);
	CUfunction function = test_function("bounded");
	OK(cuLaunchKernelEx(&config, function, params, NULL));
	config.gridDimX = 3;
	CHECK_EQUAL(cuLaunchKernelEx(&config, function, params, NULL),
		    CUDA_ERROR_INVALID_CLUSTER_SIZE);
	OK(cuLaunchCooperativeKernel(function, 2, 1, 1, 1, 1, 1, 0, NULL, params));
	OK(cuFuncSetBlockShape(function, 3, 1, 1));
	OK(cuParamSetv(function, 0, &word, sizeof(word)));
	OK(cuParamSetSize(function, sizeof(word)));
	OK(cuLaunchGrid(function, 2, 1));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*word, 4 + 2 + 6);
}

/* Two loads of one image have separate variables. */
static void modules(void)
{
	CUmodule first = NULL;
	CUmodule second = NULL;
	CUmodule of_function = NULL;
	CUfunction function = NULL;
	CUdeviceptr global = 0;
	CUdeviceptr other_global = 0;
	size_t size = 0;
	int *word = NULL;
	int value = 100;
	void *params[] = {&word};
	test_start();
	const void *image = read_image();
	word = test_pinned(1);
	OK(cuModuleLoadData(&first, image));
	OK(cuModuleLoadDataEx(&second, image, 0, NULL, NULL));
	OK(cuModuleGetGlobal(&global, &size, first, "total"));
	OK(cuModuleGetGlobal(&other_global, &size, second, "total"));
	CHECK(global != other_global);
	CHECK_EQUAL(size, sizeof(int));
	OK(cuMemcpyHtoD(global, &value, sizeof(value)));
	OK(cuModuleGetFunction(&function, first, "add_total"));
	OK(cuFuncGetModule(&of_function, function));
	CHECK(of_function == first);
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuModuleGetFunction(&function, second, "add_total"));
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*word, 100 + 7);
	CHECK_EQUAL(cuModuleGetFunction(&function, first, "nothing"), CUDA_ERROR_NOT_FOUND);
	CHECK_EQUAL(cuModuleGetGlobal(&global, &size, first, "nothing"), CUDA_ERROR_NOT_FOUND);
	OK(cuModuleUnload(first));
	CHECK_EQUAL(cuModuleUnload(first), CUDA_ERROR_INVALID_HANDLE);
	OK(cuModuleUnload(second));
	CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
		    CUDA_ERROR_INVALID_HANDLE);
}

static void bad_images(void)
{
	char text[128] = ".version 8.0";
	CUmodule module = NULL;
	test_start();
	CHECK_EQUAL(cuModuleLoad(&module, "no such file"), CUDA_ERROR_FILE_NOT_FOUND);
	CHECK_EQUAL(cuModuleLoadData(&module, text), CUDA_ERROR_INVALID_PTX);
	CHECK_EQUAL(cuModuleLoadData(&module, "\x01"), CUDA_ERROR_INVALID_IMAGE);
	CHECK_EQUAL(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Use a kernel's handle instead of a function's, as the runtime library does. */
static void libraries(void)
{
	CUlibrary library = NULL;
	CUkernel kernel = NULL;
	CUfunction function = NULL;
	const char *name = NULL;
	int *word = NULL;
	void *params[] = {&word};
	test_start();
	word = test_pinned(1);
	OK(cuLibraryLoadData(&library, read_image(), NULL, NULL, 0, NULL, NULL, 0));
	OK(cuLibraryGetKernel(&kernel, library, "bounded"));
	OK(cuKernelGetName(&name, kernel));
	CHECK(strcmp(name, "bounded") == 0);
	OK(cuKernelGetFunction(&function, kernel));
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*word, 2);
	OK(cuLibraryUnload(library));
	CHECK_EQUAL(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL),
		    CUDA_ERROR_INVALID_HANDLE);
}

static void end_well(int signal)
{
	(void)signal;
	_exit(EXIT_SUCCESS);
}

/* Return a kernel; a query about it aborts once its library is unloaded. */
static CUkernel kernel_of_library(CUlibrary *out_library)
{
	CUkernel kernel = NULL;
	test_start();
	OK(cuLibraryLoadData(out_library, read_image(), NULL, NULL, 0, NULL, NULL, 0));
	OK(cuLibraryGetKernel(&kernel, *out_library, "bounded"));
	CHECK(signal(SIGABRT, end_well) != SIG_ERR);
	return kernel;
}

static void asked_of_gone(void)
{
	CUlibrary library = NULL;
	CUkernel kernel = kernel_of_library(&library);
	const char *name = NULL;
	OK(cuLibraryUnload(library));
	(void)cuKernelGetName(&name, kernel);
	CHECK(0); /* it survived */
}

static void *unload_soon(void *library)
{
	(void)usleep(10000);
	OK(cuLibraryUnload(library));
	return NULL;
}

static void asked_of_going(void)
{
	CUlibrary library = NULL;
	CUkernel kernel = kernel_of_library(&library);
	const char *name = NULL;
	pthread_t thread = 0;
	CHECK_EQUAL(pthread_create(&thread, NULL, unload_soon, library), 0);
	(void)cuKernelGetName(&name, kernel);
	CHECK(0); /* it survived */
}

/* Queued work keeps the code that it needs. */
static void unload_while_queued(void)
{
	CUmodule module = NULL;
	CUfunction function = NULL;
	int *word = NULL;
	void *params[] = {&word};
	test_start();
	word = test_pinned(1);
	OK(cuModuleLoad(&module, TEST_KERNELS));
	OK(cuModuleGetFunction(&function, module, "bounded"));
	int *flag = test_hold(NULL);
	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuModuleUnload(module));
	test_release(flag);
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*word, 1);
}

static CUresult launch_programmatic(const char *name, CUstream stream, void **params)
{
	CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
				     .value.programmaticStreamSerializationAllowed = 1};
	CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, stream, &overlap, 1};
	return cuLaunchKernelEx(&config, test_function(name), params, NULL);
}

/* The first kernel finishes only if the second and third run at the same time. */
static void programmatic_overlap(void)
{
	int *flag = NULL;
	int *word = NULL;
	int one = 1;
	size_t first = 0;
	void *store[] = {&flag, &first, &one};
	void *count[] = {&word};
	test_start();
	word = test_pinned(1);
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	CUevent between = NULL;
	OK(cuEventCreate(&between, CU_EVENT_DISABLE_TIMING));
	flag = test_hold(stream);
	OK(cuEventRecord(between, stream));
	OK(launch_programmatic("bounded", stream, count));
	OK(launch_programmatic("store", stream, store));
	OK(test_launch("bounded", stream, count)); /* after all of them */
	OK(cuStreamSynchronize(stream));
	OK(cuEventQuery(between));
	CHECK_EQUAL(*word, 2);
}

/* Other work between two launches keeps them in order, although the seed permits overlap. */
static void programmatic_order(void)
{
	int *word = NULL;
	void *count[] = {&word};
	test_start();
	word = test_pinned(1);
	CUdeviceptr memory = 0;
	OK(cuMemAlloc(&memory, 4));
	int *flag = test_hold(CU_STREAM_LEGACY);
	OK(cuMemsetD32Async(memory, 0, 1, CU_STREAM_LEGACY));
	OK(launch_programmatic("bounded", CU_STREAM_LEGACY, count));
	CHECK_EQUAL(cuStreamQuery(CU_STREAM_LEGACY), CUDA_ERROR_NOT_READY);
	CHECK_EQUAL(*word, 0);
	test_release(flag);
	OK(cuStreamSynchronize(CU_STREAM_LEGACY));
	CHECK_EQUAL(*word, 1);
}

/* An early launch fails while the launch before it still runs. */
static void programmatic_fault(void)
{
	int *nowhere = NULL;
	int value = 1;
	size_t index = (size_t)1 << 43;
	void *params[] = {&nowhere, &index, &value};
	test_start();
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	test_hold(stream);
	OK(launch_programmatic("store", stream, params));
	CHECK_EQUAL(test_first_error(cuCtxSynchronize), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static const struct test_case cases[] = {
	{"grids", grids, {NULL}},
	{"barriers", barriers, {NULL}},
	{"parameters", parameters, {NULL}},
	{"impossible_launches", impossible_launches, {NULL}},
	{"forms_of_launch", forms_of_launch, {NULL}},
	{"modules", modules, {NULL}},
	{"bad_images", bad_images, {NULL}},
	{"libraries", libraries, {NULL}},
	{"asked_of_gone", asked_of_gone, {NULL}},
	{"asked_of_going", asked_of_going, {"SIMCUDA_ASK_US=1000000"}},
	{"unload_while_queued", unload_while_queued, {NULL}},
	{"programmatic_overlap", programmatic_overlap, {"SIMCUDA_SEED=1"}},
	{"programmatic_order", programmatic_order, {"SIMCUDA_SEED=1"}},
	{"programmatic_fault", programmatic_fault, {"SIMCUDA_SEED=1"}},
};

TEST_MAIN(cases)

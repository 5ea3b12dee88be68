/*
 * test_entry.c - how calls reach the driver: exports, cuGetProcAddress, states of process and
 * context, injected results, and the null mode.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

struct row {
	const char *name;
	int since;
	int is_per_thread;
};

#define LEGACY     0
#define PER_THREAD 1

static const struct row rows[] = {
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, ...) \
	{#name, since, default_stream},
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* The driver exports all calls of its version, and no later ones. */
static void exports_of_its_version(void)
{
	int version = 0;
	OK(cuDriverGetVersion(&version));
	for (int i = 0; i < N_ROWS; i++)
		if (!dlsym(RTLD_DEFAULT, rows[i].name) != (rows[i].since > version))
			test_fail(__FILE__, __LINE__, rows[i].name, rows[i].since, version);
}

/* A call that the driver lacks fails and is logged, even if its address was found. */
static void lacked_calls_are_told(void)
{
	void *address = dlsym(RTLD_DEFAULT, "cuGraphGetId");
	CUresult (*call)(CUgraph, unsigned int *) = NULL;
	char line[64] = "";
	CHECK(address != NULL);
	memcpy(&call, &address, sizeof(call));
	CHECK_EQUAL(call(NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
	FILE *file = fopen(getenv("SIMCUDA_LACKED"), "r");
	CHECK(file && fgets(line, sizeof(line), file) && !strcmp(line, "cuGraphGetId\n"));
	fclose(file);
	unlink(getenv("SIMCUDA_LACKED"));
}

/* Strip version and stream suffixes: programs ask for the base name. */
static void base_name(const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s", name);
	size_t length = strlen(out);
	if (strcmp(out + length - 5, "_ptsz") == 0 || strcmp(out + length - 5, "_ptds") == 0)
		out[length -= 5] = '\0';
	if (out[length - 3] == '_' && out[length - 2] == 'v')
		out[length - 3] = '\0';
}

/*
 * True if a later row has the same base, version and stream. cuda.h renamed some calls twice within
 * one version; the last row is the newest.
 */
static int is_superseded(int row, const char *base)
{
	char other[128];
	for (int i = 0; i < N_ROWS; i++) {
		base_name(rows[i].name, other, sizeof(other));
		if (i != row && strcmp(base, other) == 0 && rows[i].since == rows[row].since &&
		    rows[i].is_per_thread == rows[row].is_per_thread &&
		    strcmp(rows[i].name, rows[row].name) > 0)
			return 1;
	}
	return 0;
}

/* Query all names before cuInit, as runtime libraries do. */
static void proc_address_of_each_version(void)
{
	int n_asked = 0;
	for (int i = 0; i < N_ROWS; i++) {
		void *address = NULL;
		char base[128];
		base_name(rows[i].name, base, sizeof(base));
		if (rows[i].since == 0 || is_superseded(i, base))
			continue;
		CUdriverProcAddressQueryResult status;
		OK(cuGetProcAddress(base, &address, rows[i].since,
				    rows[i].is_per_thread
					    ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
					    : CU_GET_PROC_ADDRESS_LEGACY_STREAM,
				    &status));
		CHECK_EQUAL(status, CU_GET_PROC_ADDRESS_SUCCESS);
		if (address != dlsym(RTLD_DEFAULT, rows[i].name))
			test_fail(__FILE__, __LINE__, rows[i].name, 0, 1);
		n_asked++;
	}
	CHECK(n_asked > 600);
}

static void proc_address_rules(void)
{
	void *address = NULL;
	OK(cuGetProcAddress("cuGetProcAddress", &address, 12000, 0, NULL));
	CHECK(address == dlsym(RTLD_DEFAULT, "cuGetProcAddress_v2"));
	OK(cuGetProcAddress("cuGetProcAddress", &address, 11030, 0, NULL));
	CHECK(address == dlsym(RTLD_DEFAULT, "cuGetProcAddress"));
	CUdriverProcAddressQueryResult status;
	OK(cuGetProcAddress("cuMemAlloc", &address, 3020, 0, &status));
	CHECK(address == dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
	OK(cuGetProcAddress("cuMemAlloc", &address, 2000, 0, &status));
	CHECK(address == dlsym(RTLD_DEFAULT, "cuMemAlloc"));
	/* A call without a stream has no per-thread form, so the ordinary one is returned. */
	OK(cuGetProcAddress("cuMemAlloc", &address, 12000, 2, &status));
	CHECK(address == dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
	CHECK_EQUAL(cuGetProcAddress("cuLaunchKernelEx", &address, 11000, 0, &status),
		    CUDA_ERROR_NOT_FOUND);
	CHECK_EQUAL(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
	CHECK(!address);
	CHECK_EQUAL(cuGetProcAddress("cuNothing", &address, 13000, 0, &status),
		    CUDA_ERROR_NOT_FOUND);
	CHECK_EQUAL(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	CHECK_EQUAL(cuGetProcAddress("cuNothing", &address, 13000, 0, NULL), CUDA_ERROR_NOT_FOUND);
}

static void old_driver_hides_new_calls(void)
{
	void *address = NULL;
	int version = 0;
	OK(cuDriverGetVersion(&version));
	CHECK_EQUAL(version, 12020);
	CUdriverProcAddressQueryResult status;
	CHECK_EQUAL(cuGetProcAddress("cuGreenCtxCreate", &address, 12020, 0, &status),
		    CUDA_ERROR_NOT_FOUND);
	CHECK_EQUAL(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	CHECK_EQUAL(cuGetProcAddress("cuMemAlloc", &address, 13000, 0, &status),
		    CUDA_ERROR_INVALID_VALUE);
}

static void before_init_and_without_context(void)
{
	CUcontext context = NULL;
	CUdeviceptr data = 0;
	CUdevice device = 0;
	CHECK_EQUAL(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
	CHECK_EQUAL(cuMemAlloc(&data, 4), CUDA_ERROR_NOT_INITIALIZED);
	CHECK_EQUAL(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
	CHECK_EQUAL(cuInit(1), CUDA_ERROR_INVALID_VALUE);
	OK(cuInit(0));
	OK(cuInit(0));
	OK(cuCtxGetCurrent(&context));
	CHECK(!context);
	CHECK_EQUAL(cuMemAlloc(&data, 4), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQUAL(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQUAL(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
}

static void contexts(void)
{
	CUcontext primary = NULL;
	CUcontext again = NULL;
	CUcontext own = NULL;
	CUcontext current = NULL;
	unsigned long long id = 0;
	unsigned long long other_id = 0;
	OK(cuInit(0));
	unsigned flags = 0;
	int is_active = 0;
	OK(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
	CHECK_EQUAL(is_active, 0);
	OK(cuDevicePrimaryCtxRetain(&primary, 0));
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	CHECK(primary == again);
	OK(cuCtxCreate(&own, NULL, 0, 0));
	OK(cuCtxGetCurrent(&current));
	CHECK(current == own);
	OK(cuCtxPushCurrent(primary));
	OK(cuCtxGetId(NULL, &id));
	OK(cuCtxGetId(own, &other_id));
	CHECK(id != other_id);
	OK(cuCtxPopCurrent(&current));
	CHECK(current == primary);
	OK(cuCtxDestroy(own));
	OK(cuCtxGetCurrent(&current));
	CHECK(!current);
	CHECK_EQUAL(cuCtxPushCurrent(own), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQUAL(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuDevicePrimaryCtxRelease(0));
	CHECK_EQUAL(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

static void forked_child(void)
{
	CUcontext context = NULL;
	int status = 0;
	test_start();
	pid_t child = fork();
	if (child == 0)
		_exit(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED &&
				      cuInit(0) == CUDA_ERROR_NOT_INITIALIZED
			      ? 0
			      : 1);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(status, 0);
	OK(cuCtxGetCurrent(&context));
}

static void check_gone(void)
{
	CUdeviceptr data = 0;
	CHECK_EQUAL(cuMemAlloc(&data, 4), CUDA_ERROR_DEINITIALIZED);
	_exit(0);
}

/* An exit handler registered before cuInit runs after the driver has shut down. */
static void gone_in_exit(void)
{
	CHECK(atexit(check_gone) == 0);
	test_start();
	exit(EXIT_FAILURE); /* check_gone exits with 0 */
}

static void injected_results(void)
{
	CUdeviceptr data = 0;
	test_start();
	OK(cuMemAlloc(&data, 4));
	OK(cuMemAlloc(&data, 4));
	CHECK_EQUAL(cuMemAlloc(&data, 4), CUDA_ERROR_OUT_OF_MEMORY);
	OK(cuMemAlloc(&data, 4));
	OK(cuStreamSynchronize(NULL));
	CHECK_EQUAL(cuStreamSynchronize(NULL), CUDA_ERROR_LAUNCH_FAILED);
	CHECK_EQUAL(cuStreamSynchronize(NULL), CUDA_ERROR_LAUNCH_FAILED);
	CHECK_EQUAL(cuMemFree(data), CUDA_ERROR_LAUNCH_FAILED);
}

static void null_mode_does_nothing(void)
{
	void *params[] = {NULL};
	test_start();
	int *word = test_pinned(1);
	CUfunction function = test_function("trap");
	for (int i = 0; i < 100000; i++)
		OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
	OK(cuStreamWriteValue32(NULL, (CUdeviceptr)word, 1, 0));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(*word, 0);
}

static void names_of_errors(void)
{
	const char *text = NULL;
	OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
	CHECK(strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
	OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
	CHECK(strcmp(text, "an illegal memory access was encountered") == 0);
	CHECK_EQUAL(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
	CHECK(!text);
}

static void devices(void)
{
	int count = 0;
	int can_use = 0;
	OK(cuInit(0));
	OK(cuDeviceGetCount(&count));
	CHECK_EQUAL(count, 3);
	char name[64];
	OK(cuDeviceGetName(name, sizeof(name), 2));
	CHECK(strcmp(name, "simcuda device") == 0);
	OK(cuDeviceGetAttribute(&can_use, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 2));
	CHECK_EQUAL(can_use, 1);
	CHECK_EQUAL(cuDeviceGetName(name, sizeof(name), 3), CUDA_ERROR_INVALID_DEVICE);
}

static void no_devices(void)
{
	CHECK_EQUAL(cuInit(0), CUDA_ERROR_NO_DEVICE);
}

static const struct test_case cases[] = {
	{"exports_of_its_version", exports_of_its_version, {NULL}},
	{"exports_of_12_0", exports_of_its_version, {"SIMCUDA_DRIVER=12.0"}},
	{"exports_of_13_5", exports_of_its_version, {"SIMCUDA_DRIVER=13.5"}},
	{"lacked_calls_are_told", lacked_calls_are_told, {"SIMCUDA_LACKED=simcuda-lacked"}},
	{"proc_address_of_each_version", proc_address_of_each_version, {"SIMCUDA_DRIVER=13.5"}},
	{"proc_address_rules", proc_address_rules, {NULL}},
	{"old_driver_hides_new_calls", old_driver_hides_new_calls, {"SIMCUDA_DRIVER=12.2"}},
	{"before_init_and_without_context", before_init_and_without_context, {NULL}},
	{"contexts", contexts, {NULL}},
	{"forked_child", forked_child, {NULL}},
	{"gone_in_exit", gone_in_exit, {NULL}},
	{"injected_results",
	 injected_results,
	 {"SIMCUDA_INJECT=cuMemAlloc_v2:3:2,cuStreamSynchronize:2:719:sticky"}},
	{"null_mode_does_nothing", null_mode_does_nothing, {"SIMCUDA_NULL=1"}},
	{"names_of_errors", names_of_errors, {NULL}},
	{"devices", devices, {"SIMCUDA_DEVICES=3"}},
	{"no_devices", no_devices, {"SIMCUDA_DEVICES=0"}},
};

TEST_MAIN(cases)

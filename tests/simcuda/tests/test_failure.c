/*
 * test_failure.c - a failure seen from outside: when calls return it, which calls do, which work
 * still runs, and the recorded truth.
 */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static CUdeviceptr data;

static CUresult synchronize(void)
{
	return cuCtxSynchronize();
}

static void start_with_data(void)
{
	test_start();
	OK(cuMemAlloc(&data, 256));
}

static long long now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Count launches after the fault until one fails. The faulting one never leaves the queue. */
static int count_accepted(void)
{
	void *params[] = {&data};
	CUfunction function = test_function("index_of");
	int n_accepted = 0;
	test_fault(NULL);
	CUresult result;
	while ((result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL)) ==
	       CUDA_SUCCESS)
		n_accepted++;
	CHECK_EQUAL(result, CUDA_ERROR_ILLEGAL_ADDRESS);
	return n_accepted;
}

/* Launches succeed until the delay is over. */
static void told_late(void)
{
	start_with_data();
	long long start = now_ms();
	CHECK(count_accepted() < 1022);
	CHECK(now_ms() - start >= 200);
}

/* Without a delay, a launch fails only once it waits for room in the queue. */
static void told_by_full_queue(void)
{
	start_with_data();
	CHECK_EQUAL(count_accepted(), 1021);
}

/* Calls that neither wait nor query succeed, however long ago the fault was. */
static void told_to_waiters(void)
{
	void *params[] = {&data};
	unlink("simcuda-truth.json");
	start_with_data();
	test_fault(NULL);
	while (access("simcuda-truth.json", F_OK) != 0)
		sched_yield();
	OK(test_launch("index_of", NULL, params));
	CUdeviceptr other = 0;
	OK(cuMemAlloc(&other, 4));
	CHECK_EQUAL(cuStreamQuery(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_EQUAL(cuMemAlloc(&other, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
	unlink("simcuda-truth.json");
}

static void waiting_sync_returns_it(void)
{
	test_start();
	long long start = now_ms();
	test_fault(NULL);
	CHECK_EQUAL(cuStreamSynchronize(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK(now_ms() - start >= 200);
}

static CUcontext context, other_context;
static CUstream stream;
static CUevent event;
static CUarray array;
static CUmemoryPool pool;
static CUgraph graph;
static CUgraphExec exec;
static CUdeviceptr reserved, mapped;
static CUmemGenericAllocationHandle physical;
static void *pinned;

static const CUmemAllocationProp device_memory = {
	.type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};

static void make_one_of_each(void)
{
	CUDA_ARRAY_DESCRIPTOR descriptor = {4, 4, CU_AD_FORMAT_FLOAT, 1};
	CUmemPoolProps pool_properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
					  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	static char registered[4096];
	start_with_data();
	OK(cuCtxGetCurrent(&context));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&event, 0));
	OK(cuEventRecord(event, stream));
	OK(cuEventSynchronize(event));
	OK(cuArrayCreate(&array, &descriptor));
	OK(cuMemPoolCreate(&pool, &pool_properties));
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuMemAddressReserve(&reserved, (size_t)2 << 20, 0, 0, 0));
	OK(cuMemAddressReserve(&mapped, (size_t)2 << 20, 0, 0, 0));
	OK(cuMemCreate(&physical, (size_t)2 << 20, &device_memory, 0));
	OK(cuMemMap(mapped, (size_t)2 << 20, 0, physical, 0));
	OK(cuMemHostRegister(registered, sizeof(registered), 0));
	pinned = registered;
	OK(cuCtxCreate(&other_context, NULL, 0, 1));
	OK(cuCtxSetCurrent(context));
}

#define TELLS(call) CHECK_EQUAL(call, CUDA_ERROR_ILLEGAL_ADDRESS)

static void calls_that_tell(void)
{
	CUmodule module = NULL;
	void *host = NULL;
	int word = 0;
	make_one_of_each();
	test_fault(NULL);
	TELLS(test_first_error(synchronize));
	TELLS(cuMemFree(data));
	TELLS(cuMemFree(0));
	TELLS(cuMemFreeAsync(data, stream));
	TELLS(cuMemFreeHost(pinned));
	TELLS(cuMemHostUnregister(pinned));
	TELLS(cuArrayDestroy(array));
	size_t free_bytes = 0;
	size_t total_bytes = 0;
	TELLS(cuMemGetInfo(&free_bytes, &total_bytes));
	TELLS(cuMemAlloc(&data, 4));
	TELLS(cuMemHostAlloc(&host, 4, 0));
	TELLS(cuMemcpyDtoH(&word, data, 4));
	TELLS(cuMemsetD8(data, 0, 4));
	TELLS(cuStreamCreate(&stream, 0));
	TELLS(cuStreamSynchronize(stream));
	TELLS(cuStreamQuery(stream));
	TELLS(cuEventQuery(event));
	TELLS(cuEventSynchronize(event));
	TELLS(cuEventRecord(event, stream));
	TELLS(cuStreamWaitEvent(stream, event, 0));
	TELLS(cuGraphLaunch(exec, stream));
	TELLS(cuModuleLoad(&module, TEST_KERNELS));
	TELLS(cuEventDestroy(event));
	TELLS(cuStreamDestroy(stream));
	OK(cuCtxSetCurrent(other_context));
	TELLS(cuCtxSynchronize());
	TELLS(cuMemAlloc(&data, 4));
}

static CUlibrary load_library(void)
{
	CUlibrary library = NULL;
	OK(cuLibraryLoadFromFile(&library, TEST_KERNELS, NULL, NULL, 0, NULL, NULL, 0));
	return library;
}

/* A failure comes from a library whose kernels were loaded onto the device. */
static void unloading_a_library(void)
{
	make_one_of_each();
	CUlibrary loaded = load_library();
	CUlibrary unused = load_library();
	CUkernel kernel = NULL;
	CUfunction function = NULL;
	OK(cuLibraryGetKernel(&kernel, loaded, "index_of"));
	OK(cuKernelGetFunction(&function, kernel));
	OK(cuLibraryGetKernel(&kernel, unused, "index_of"));
	test_fault(NULL);
	TELLS(test_first_error(synchronize));
	TELLS(cuLibraryUnload(loaded));
	OK(cuLibraryUnload(unused));
}

static void calls_that_succeed(void)
{
	CUcontext current = NULL;
	make_one_of_each();
	test_fault(NULL);
	TELLS(test_first_error(synchronize));
	OK(cuMemPoolDestroy(pool));
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphDestroy(graph));
	OK(cuMemUnmap(mapped, (size_t)2 << 20));
	OK(cuMemRelease(physical));
	OK(cuMemAddressFree(mapped, (size_t)2 << 20));
	OK(cuMemAddressFree(reserved, (size_t)2 << 20));
	OK(cuCtxPushCurrent(other_context));
	OK(cuCtxPopCurrent(&current));
	CHECK(current == other_context);
	OK(cuCtxGetCurrent(&current));
	CHECK(current == context);
	CUdevice device = 0;
	OK(cuCtxGetDevice(&device));
	int n_devices = 0;
	OK(cuDeviceGetCount(&n_devices));
	CHECK_EQUAL(n_devices, 2);
}

static void no_recovery(void)
{
	CUcontext fresh = NULL;
	make_one_of_each();
	test_fault(NULL);
	TELLS(test_first_error(synchronize));
	OK(cuCtxDestroy(other_context));
	OK(cuDevicePrimaryCtxRetain(&fresh, 0)); /* active: another reference to it */
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuDevicePrimaryCtxRelease(0));
	CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
	OK(cuDevicePrimaryCtxReset(0));
	TELLS(cuDevicePrimaryCtxRetain(&fresh, 0));
	TELLS(cuCtxCreate(&fresh, NULL, 0, 0));
	while (cuCtxPopCurrent(&fresh) == CUDA_SUCCESS)
		;
	CHECK_EQUAL(cuMemAlloc(&data, 4), CUDA_ERROR_INVALID_CONTEXT);
}

/*
 * Work queued after the fault never runs, and neither does work of other streams that has not
 * started. Words written before stay readable.
 */
static void queued_work_never_runs(void)
{
	test_start();
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	CUstream innocent = NULL;
	OK(cuStreamCreate(&innocent, CU_STREAM_NON_BLOCKING));
	int *words = test_pinned(4);
	OK(cuStreamWriteValue32(stream, (CUdeviceptr)&words[0], 70, 0));
	int *flag = test_hold(innocent);
	OK(cuStreamWriteValue32(innocent, (CUdeviceptr)&words[1], 71, 0));
	test_fault(stream);
	OK(cuStreamWriteValue32(stream, (CUdeviceptr)&words[2], 72, 0));
	TELLS(test_first_error(synchronize));
	test_release(flag);
	/* The innocent kernel was cut short, so its stream never reaches the write. */
	usleep(20000);
	CHECK_EQUAL(__atomic_load_n(&words[0], __ATOMIC_ACQUIRE), 70);
	CHECK_EQUAL(__atomic_load_n(&words[1], __ATOMIC_ACQUIRE), 0);
	CHECK_EQUAL(__atomic_load_n(&words[2], __ATOMIC_ACQUIRE), 0);
}

static void expect_truth(const char *part)
{
	FILE *file = fopen("simcuda-truth.json", "r");
	CHECK(file);
	char text[1024];
	CHECK(fgets(text, sizeof(text), file));
	CHECK(strstr(text, part));
	fclose(file);
}

static void truth_names_the_launch(void)
{
	unlink("simcuda-truth.json");
	start_with_data();
	OK(cuStreamCreate(&stream, 0));
	for (int i = 0; i < 9; i++) {
		void *params[] = {&data};
		OK(test_launch("index_of", i % 3 ? stream : NULL, params));
	}
	test_fault(stream);
	TELLS(test_first_error(synchronize));
	expect_truth("\"code\": 700, \"kind\": \"kernel\", \"launch\": 10, \"submission\": 10, "
		     "\"ordinal\": 7,");
	expect_truth("\"kernel\": \"store\", \"grid\": [1, 1, 1], \"block\": [1, 1, 1], "
		     "\"params\": \"4000000000000000000000000000000001000000\"");
	char part[128];
	snprintf(part, sizeof(part), "\"tid\": %d, \"stream\": \"0x%llx\"", (int)gettid(),
		 (unsigned long long)stream);
	expect_truth(part);
	unlink("simcuda-truth.json");
}

static void truth_names_the_node(void)
{
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
	void *params[] = {&data};
	unlink("simcuda-truth.json");
	start_with_data();
	test_module();
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuStreamBeginCapture(stream, mode));
	OK(test_launch("add_total", stream, params));
	OK(test_launch("fault_at_ten", stream, params));
	OK(test_launch("add_total", stream, params));
	OK(cuStreamEndCapture(stream, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuMemsetD32(data, 0, 1));
	OK(cuCtxSynchronize()); /* the graph's stream does not wait for the null stream */
	for (int i = 0; i < 5; i++)
		OK(cuGraphLaunch(exec, stream));
	TELLS(test_first_error(synchronize));
	/* total starts at 7 and is added to twice per replay: 7, then 7+8+9 after the third node.
	 */
	expect_truth("\"kind\": \"graph\"");
	expect_truth("\"node\": 1, \"replay\": 2, \"node_kind\": \"kernel\", "
		     "\"kernel\": \"fault_at_ten\"");
	unlink("simcuda-truth.json");
}

/* The host program's handler receives the program's own faults. */
static void *own_page;
static volatile int n_own_faults;

static void handle_own_fault(int signal)
{
	(void)signal;
	n_own_faults++;
	mprotect(own_page, 4096, PROT_READ | PROT_WRITE);
}

static void host_handlers_are_kept(void)
{
	void *params[] = {&data};
	start_with_data();
	OK(test_launch("index_of", NULL, params));
	OK(cuCtxSynchronize());
	own_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, handle_own_fault); /* replaces the driver's handler */
	OK(test_launch("index_of", NULL, params));
	OK(cuCtxSynchronize()); /* the driver's handler is back and calls the other one */
	*(volatile int *)own_page = 1;
	CHECK_EQUAL(n_own_faults, 1);
	test_fault(NULL);
	TELLS(test_first_error(synchronize));
	CHECK_EQUAL(n_own_faults, 1);
}

static const struct test_case cases[] = {
	{"told_late", told_late, {"SIMCUDA_LATE_MS=200"}},
	{"told_by_full_queue", told_by_full_queue, {NULL}},
	{"told_to_waiters", told_to_waiters, {"SIMCUDA_TRUTH=simcuda-truth.json"}},
	{"waiting_sync_returns_it", waiting_sync_returns_it, {"SIMCUDA_LATE_MS=200"}},
	{"calls_that_tell", calls_that_tell, {"SIMCUDA_DEVICES=2"}},
	{"calls_that_succeed", calls_that_succeed, {"SIMCUDA_DEVICES=2"}},
	{"unloading_a_library", unloading_a_library, {"SIMCUDA_DEVICES=2"}},
	{"no_recovery", no_recovery, {"SIMCUDA_DEVICES=2"}},
	{"queued_work_never_runs", queued_work_never_runs, {NULL}},
	{"truth_names_the_launch", truth_names_the_launch, {"SIMCUDA_TRUTH=simcuda-truth.json"}},
	{"truth_names_the_node", truth_names_the_node, {"SIMCUDA_TRUTH=simcuda-truth.json"}},
	{"host_handlers_are_kept", host_handlers_are_kept, {NULL}},
};

TEST_MAIN(cases)

/*
 * afterwards.c - what hosts see after a failure: the results of every call there is, error texts,
 * and the extension that tells the error status as of an event.
 */
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/driver_calls.h"

#include "culprit.h"
#include "host.h"
#include "scenarios.h"

typedef CUresult (*any_call)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			     uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

/*
 * The second argument of these calls is a structure of 64 bytes by value. aarch64 passes the
 * address of a copy instead.
 */
static bool has_structure(enum driver_call call)
{
	return !strncmp(driver_calls[call].name, "cuIpcOpen", strlen("cuIpcOpen"));
}

/* Pass as many zeros as the longest call takes. A function does not mind extra arguments. */
static CUresult call_with_zeros(enum driver_call call)
{
	static const char structure[64];
	static const void *const entry_points[] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = (const void *)name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
	};
	any_call function;

	memcpy(&function, &entry_points[call], sizeof(function));
	return function(0, has_structure(call) ? (uint64_t)(uintptr_t)structure : 0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* True if the driver is told to refuse the call; only then it ignores the arguments. */
static bool is_refused(const char *name)
{
	const char *orders = getenv("SIMCUDA_INJECT");
	char order[64];

	snprintf(order, sizeof(order), ",%s:1:700,", name);
	return orders && strstr(orders, order);
}

/* Only the frame pointer leads out of this function. */
static __attribute__((noinline)) CUresult ask_for_memory(size_t n)
{
	volatile char *bytes = __builtin_alloca(n);
	size_t available = 0;
	size_t total = 0;

	bytes[0] = 0;
	CUresult result = cuMemGetInfo_v2(&available, &total);
	return bytes[0] ? CUDA_SUCCESS : result;
}

int seen_by_a_question(void)
{
	host_open();
	return (int)ask_for_memory(100) != 700;
}

/* Call every entry point that the driver is told to refuse. */
int every_call_afterwards(void)
{
	host_open();
	printf("cuMemFree_v2 before: %d\n", (int)cuMemFree_v2(12345));
	host_fail();
	for (enum driver_call call = 0; call < N_DRIVER_CALLS; call++) {
		const struct driver_call_facts *facts = &driver_calls[call];
		if (is_refused(facts->name))
			printf("%s %s: %d\n", facts->is_cleanup ? "cleanup" : "keep", facts->name,
			       (int)call_with_zeros(call));
	}
	return 1;
}

static void say_text(const char *when, CUresult code)
{
	const char *text = NULL, *again = NULL;

	NEED(cuGetErrorString(code, &text));
	NEED(cuGetErrorString(code, &again));
	printf("%s: %d: %s%s\n", when, (int)code, text, text == again ? "" : " (moved)");
}

int error_texts(void)
{
	host_open();
	say_text("before", CUDA_ERROR_ILLEGAL_ADDRESS);
	host_fail();
	say_text("after", CUDA_ERROR_ILLEGAL_ADDRESS);
	say_text("another", CUDA_ERROR_INVALID_VALUE);
	return 1;
}

#pragma weak cuEventCheckError

static void say_status(const char *when, CUevent event)
{
	CUresult status = CUDA_ERROR_UNKNOWN;
	CUresult result = cuEventCheckError(&status, event, 0);

	if (result == CUDA_SUCCESS)
		printf("%s: %d\n", when, (int)status);
	else
		printf("%s: refused with %d, %s\n", when, (int)result,
		       status == CUDA_ERROR_UNKNOWN ? "untouched" : "changed");
}

static CUevent record_event(CUstream stream)
{
	CUevent event;

	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(cuEventRecord(event, stream));
	return event;
}

int event_status(void)
{
	CUevent synced, busy, before, after, never;
	CUresult status = CUDA_ERROR_UNKNOWN;
	CUstream stream;

	host_open();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&never, CU_EVENT_DISABLE_TIMING));
	NEED(host_fill(stream));
	synced = record_event(stream);
	NEED(cuEventSynchronize(synced));
	host_close_gate(stream);
	busy = record_event(stream);
	say_status("synchronised", synced);
	say_status("busy", busy);
	say_status("never recorded", never);
	say_status("null", NULL);
	printf("flags: %d\n", (int)cuEventCheckError(&status, synced, 1));
	printf("no result: %d\n", (int)cuEventCheckError(NULL, synced, 0));
	host_open_gate();
	NEED(cuStreamSynchronize(stream));
	say_status("no longer busy", busy);
	before = record_event(stream);
	NEED(cuEventSynchronize(before));
	NEED(host_stray(stream));
	after = record_event(stream);
	say("cuStreamSynchronize", cuStreamSynchronize(stream));
	say_status("before the bad launch", before);
	say_status("after the bad launch", after);
	say_status("synchronised, afterwards", synced);
	return 1;
}

/*
 * One stream fails. The call that reports the failure may use the other stream, which has done
 * nothing.
 */
struct failing {
	CUstream stream, other;
	CUdeviceptr data;
};

static struct failing fail_unseen(void)
{
	struct failing failing;

	host_open();
	NEED(cuMemAlloc_v2(&failing.data, 64));
	NEED(cuStreamCreate(&failing.stream, CU_STREAM_DEFAULT));
	NEED(cuStreamCreate(&failing.other, CU_STREAM_NON_BLOCKING));
	printf("stream 0x%llx other 0x%llx\n", (unsigned long long)(uintptr_t)failing.stream,
	       (unsigned long long)(uintptr_t)failing.other);
	NEED(host_stray(failing.stream));
	return failing;
}

int seen_by_sync(void)
{
	struct failing failing = fail_unseen();

	return say("cuStreamSynchronize", cuStreamSynchronize(failing.stream)) ? 1 : 0;
}

int seen_by_query(void)
{
	struct failing failing = fail_unseen();
	CUresult result;

	do
		result = cuStreamQuery(failing.stream);
	while (result == CUDA_ERROR_NOT_READY);
	return say("cuStreamQuery", result) ? 1 : 0;
}

int seen_by_copy(void)
{
	struct failing failing = fail_unseen();
	char bytes[64];

	return say("cuMemcpyDtoH", cuMemcpyDtoH_v2(bytes, failing.data, sizeof(bytes))) ? 1 : 0;
}

int seen_by_launch(void)
{
	struct failing failing = fail_unseen();
	CUresult result;

	do
		result = host_fill(failing.other);
	while (result == CUDA_SUCCESS);
	return say("cuLaunchKernel", result) ? 1 : 0;
}

int seen_by_allocation(void)
{
	struct failing failing = fail_unseen();
	CUresult result;
	CUdeviceptr data;

	do {
		result = cuMemAllocAsync(&data, 64, failing.other);
		if (result == CUDA_SUCCESS)
			result = cuMemFreeAsync(data, failing.other);
	} while (result == CUDA_SUCCESS);
	return say("cuMemAllocAsync", result) ? 1 : 0;
}

int seen_by_context(void)
{
	(void)fail_unseen();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* A kernel that runs until the host counts on. */
struct lasting {
	unsigned *n_arrived; /* atomic */
	CUfunction function;
};

static struct lasting load_lasting(void)
{
	struct lasting lasting;
	char path[2 * PATH_MAX];
	CUmodule module;
	void *memory;

	NEED(cuMemHostAlloc(&memory, sizeof(unsigned), CU_MEMHOSTALLOC_DEVICEMAP));
	lasting.n_arrived = memory;
	__atomic_store_n(lasting.n_arrived, 0, __ATOMIC_RELAXED);
	host_kernel_path("collectives", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&lasting.function, module, "ncclDevKernel_Generic_4"));
	return lasting;
}

/* Launch the kernel; returns once the kernel is running. */
static void launch_lasting(const struct lasting *lasting, CUstream stream)
{
	CUdeviceptr counter;
	unsigned wanted = 2;
	void *parameters[] = {&counter, &wanted};

	NEED(cuMemHostGetDevicePointer_v2(&counter, lasting->n_arrived, 0));
	NEED(cuLaunchKernel(lasting->function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
	while (__atomic_load_n(lasting->n_arrived, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
}

static CUstream make_checked_stream(void)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 4; i++) {
		NEED(host_fill(stream));
		NEED(cuStreamSynchronize(stream));
	}
	return stream;
}

/*
 * A call reports a failure that the driver is told to invent. Afterwards unfinished work finishes
 * and more is submitted, as if a device other than the failed one continued.
 */
int work_afterwards(void)
{
	struct lasting lasting;
	CUstream held, busy;

	host_open();
	lasting = load_lasting();
	held = make_checked_stream();
	busy = make_checked_stream();
	host_close_gate(held);
	for (int i = 0; i < 3; i++)
		NEED(host_fill(held));
	launch_lasting(&lasting, busy);
	NEED(host_fill(busy));
	say("cuCtxSynchronize", cuCtxSynchronize());
	host_open_gate();
	__atomic_store_n(lasting.n_arrived, 2, __ATOMIC_RELEASE);
	NEED(cuStreamSynchronize(held));
	NEED(cuStreamSynchronize(busy));
	for (int i = 0; i < 300; i++)
		NEED(host_fill(held));
	return say("cuStreamSynchronize", cuStreamSynchronize(held)) ? 2 : 1;
}

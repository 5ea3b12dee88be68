/*
 * streams.c - hosts that use up many streams, events, contexts and modules, and then fail: memory
 * must have stayed flat and the verdict must be right. Other hosts fail in streams of other kinds,
 * for which the driver's words must give evidence.
 */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum wait { WAIT_STREAM, WAIT_EVENT, WAIT_LATER };

/* One stream's life. Destroying it with its work unfinished is allowed: the driver waits. */
static void use_stream(enum wait wait, CUevent event)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(stream));
	NEED(cuEventRecord(event, stream));
	NEED(host_fill(stream));
	if (wait == WAIT_STREAM)
		NEED(cuStreamSynchronize(stream));
	if (wait == WAIT_EVENT)
		NEED(cuEventSynchronize(event));
	NEED(cuStreamDestroy(stream));
}

static int use_streams(enum wait wait)
{
	enum { N_STREAMS = 20000, N_WARM_UP = 2000 };
	size_t before = 0;
	CUevent event;

	host_open();
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	for (int i = 0; i < N_STREAMS; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		/*
		 * Now and then, wait for the driver's own backlog, without synchronising a stream.
		 */
		use_stream(wait == WAIT_LATER && i % 64 == 0 ? WAIT_EVENT : wait, event);
	}
	say_growth(before);
	NEED(cuCtxSynchronize());
	return host_fail();
}

int streams_synchronised(void)
{
	return use_streams(WAIT_STREAM);
}

/* Only the driver knows that the last launch of each stream has finished. */
int streams_left_alone(void)
{
	return use_streams(WAIT_LATER);
}

int streams_by_event(void)
{
	return use_streams(WAIT_EVENT);
}

/* The driver's backlog takes memory, too, so its size must not depend on chance. */
static void launch_on_each(const CUstream *streams, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		NEED(host_fill(streams[i]));
		if (i % 256 == 0)
			NEED(cuCtxSynchronize());
	}
	NEED(cuCtxSynchronize());
}

static int fail_on_one_of(unsigned n)
{
	CUstream *streams = calloc(n, sizeof(*streams));

	NEED_TRUE(streams);
	host_open();
	for (unsigned i = 0; i < n; i++)
		NEED(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	launch_on_each(streams, n);
	size_t before = host_resident_bytes();
	for (int round = 0; round < 3; round++)
		launch_on_each(streams, n);
	say_growth(before);
	say("cuLaunchKernel", host_stray(streams[n - 1]));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

int streams_alive(void)
{
	return fail_on_one_of(10000);
}

/* More streams than the bundle has rows for: the last one's work is not numbered. */
int too_many_streams(void)
{
	return fail_on_one_of(17000);
}

enum { CONTEXT_LAUNCHES = 4 };

static void use_context(CUdevice device)
{
	CUcontext context;
	CUstream stream;
	CUdeviceptr memory;
	CUevent event;

	NEED(cuCtxCreate(&context, NULL, 0, device));
	NEED(cuMemAlloc(&memory, 4096));
	NEED(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	for (int i = 0; i < CONTEXT_LAUNCHES; i++) {
		NEED(cuMemsetD8Async(memory, 1, 64, stream));
		NEED(cuMemsetD8Async(memory, 1, 64, CU_STREAM_PER_THREAD));
		NEED(cuMemsetD8(memory, 1, 64));
	}
	NEED(cuEventRecord(event, stream));
	NEED(cuCtxSynchronize());
	NEED(cuCtxDestroy(context));
}

/* More contexts than the bundle has rows for; their streams are destroyed only with them. */
int many_contexts(void)
{
	enum { N_CONTEXTS = 1200, N_WARM_UP = 300 };
	/* simcuda keeps this much of each context, so that its handle is never reused. */
	enum { KEPT_BYTES = 2048 };
	size_t before = 0;

	host_open();
	for (int i = 0; i < N_CONTEXTS; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		use_context(0);
	}
	say_growth(before + (N_CONTEXTS - N_WARM_UP) * (size_t)KEPT_BYTES);
	host_use();
	return host_fail();
}

int many_events(void)
{
	enum { N_EVENTS = 20000, N_WARM_UP = 2000 };
	size_t before = 0;
	CUevent event;

	host_open();
	for (int i = 0; i < N_EVENTS; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
		for (int n = 0; n < 3; n++) {
			NEED(host_fill(NULL));
			NEED(cuEventRecord(event, NULL));
		}
		NEED(cuEventSynchronize(event));
		NEED(cuEventDestroy(event));
	}
	say_growth(before);
	return host_fail();
}

static void use_module(const char *path)
{
	unsigned tag = 1, microseconds = 0;
	void *parameters[] = {&tag, &microseconds};
	CUmodule module;
	CUfunction function;

	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&function, module, "spin"));
	NEED(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
	NEED(cuCtxSynchronize());
	NEED(cuModuleUnload(module));
}

int many_modules(void)
{
	enum { N_MODULES = 2000, N_WARM_UP = 200 };
	char path[2 * PATH_MAX];
	size_t before = 0;

	host_open();
	host_kernel_path("spin", path, sizeof(path));
	for (int i = 0; i < N_MODULES; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		use_module(path);
	}
	say_growth(before);
	return host_fail();
}

/*
 * Each thread's kernel arguments end at an inaccessible page. Code that expects more arguments,
 * because the handle was another kernel's a moment ago, cannot read them.
 */
static void **arguments_at_end(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	NEED_TRUE(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
	return (void **)(void *)(pages + page) - n;
}

static void load_and_launch(unsigned index)
{
	static const char *const kernels[] = {"spin", "fill"};
	enum { N_LOADS = 1000 };
	char path[2 * PATH_MAX];
	uint64_t zero = 0;
	size_t n = index ? 3 : 2;
	void **arguments = arguments_at_end(n);

	for (size_t i = 0; i < n; i++)
		arguments[i] = &zero;
	host_kernel_path(kernels[index], path, sizeof(path));
	for (int i = 0; i < N_LOADS; i++) {
		CUmodule module;
		CUfunction function;
		NEED(cuModuleLoad(&module, path));
		NEED(cuModuleGetFunction(&function, module, kernels[index]));
		NEED(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
		NEED(cuModuleUnload(module));
	}
}

/* Two threads release and get the same handles, for kernels with 2 and 3 arguments. */
int modules_exchanged(void)
{
	host_open();
	host_threads(2, 0, load_and_launch);
	NEED(cuCtxSynchronize());
	return host_fail();
}

int many_allocations(void)
{
	enum { N_ALLOCATIONS = 200000, N_ALIVE = 1000, N_WARM_UP = 80000 };
	static CUdeviceptr alive[N_ALIVE];
	size_t before = 0;

	host_open();
	for (int i = 0; i < N_ALLOCATIONS; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		NEED(cuMemFree(alive[i % N_ALIVE]));
		NEED(cuMemAlloc(&alive[i % N_ALIVE], 4096));
	}
	say_growth(before);
	return host_fail();
}

/* Two million launches are too many for a driver that runs them all: see robust_*.bats. */
int many_launches(void)
{
	enum { N_LAUNCHES = 2000000, N_WARM_UP = 200000 };
	size_t before = 0;

	host_open();
	for (int i = 0; i < N_LAUNCHES; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		NEED(host_fill(NULL));
		if (i % 512 == 0)
			NEED(cuStreamSynchronize(NULL));
	}
	NEED(cuCtxSynchronize());
	say_growth(before);
	return host_fail();
}

/* The second stream, destroyed since, has waited for the first one, whose work is finished. */
int stream_goes_on(void)
{
	CUstream first, second, bad;
	CUevent event;

	host_open();
	NEED(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&bad, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(host_fill(bad));
	NEED(cuStreamSynchronize(bad));
	NEED(host_fill(first));
	NEED(cuEventRecord(event, first));
	NEED(cuStreamWaitEvent(second, event, 0));
	NEED(host_fill(second));
	NEED(cuStreamSynchronize(second));
	NEED(cuStreamDestroy(second));
	NEED(host_stray(bad));
	say("cuStreamSynchronize", cuStreamSynchronize(bad));
	(void)cuStreamDestroy(bad);
	(void)host_fill(bad);
	return 1;
}

/* Fail with launch #22, after a launch that no call waits for. */
static int fail_in(CUstream stream)
{
	for (int i = 0; i < 20; i++)
		NEED(host_fill(stream));
	NEED(cuStreamSynchronize(stream));
	NEED(host_fill(stream));
	NEED(host_stray(stream));
	NEED(host_fill(stream));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* Fail in a stream of a green context. */
int green_words(void)
{
	CUcontext context;
	CUstream stream;

	host_open();
	host_make_green(&context);
	NEED(cuCtxSetCurrent(context));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return fail_in(stream);
}

/* Fail in the legacy stream of a primary context. */
int legacy_words(void)
{
	host_open();
	return fail_in(NULL);
}

static void *fill_own(void *context)
{
	NEED(cuCtxSetCurrent(context));
	for (int i = 0; i < 20; i++)
		NEED(host_fill(CU_STREAM_PER_THREAD));
	NEED(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	return NULL;
}

/*
 * Fail in a thread's own default stream, after another thread has exited and its default stream
 * with it.
 */
int own_words(void)
{
	pthread_t thread;
	CUcontext context;

	host_open();
	NEED(cuCtxGetCurrent(&context));
	NEED_TRUE(pthread_create(&thread, NULL, fill_own, context) == 0);
	NEED_TRUE(pthread_join(thread, NULL) == 0);
	return fail_in(CU_STREAM_PER_THREAD);
}

/*
 * culprit searches the words for a green context, whose streams are not in its primary context's
 * list.
 */
int own_beside_green(void)
{
	CUcontext primary, green;
	CUstream stream;

	NEED(cuInit(0));
	host_make_green(&green);
	NEED(cuCtxSetCurrent(green));
	host_load();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 20; i++)
		NEED(host_fill(stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuDevicePrimaryCtxRetain(&primary, 0));
	for (int i = 0; i < 10; i++) {
		NEED(cuCtxSetCurrent(green));
		NEED(host_fill(stream));
		NEED(cuCtxSetCurrent(primary));
		NEED(host_fill(CU_STREAM_PER_THREAD));
	}
	NEED(cuStreamSynchronize(stream));
	NEED(host_stray(CU_STREAM_PER_THREAD));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

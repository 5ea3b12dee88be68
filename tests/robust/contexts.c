/*
 * contexts.c - hosts with green contexts and with two devices, whose verdicts could be taken for
 * another context's: handles are reused, streams are used from elsewhere, one device continues
 * alone.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host.h"
#include "scenarios.h"

/* A word that the GPU waits for until the host sets it. */
struct gate {
	volatile uint32_t *word;
};

static struct gate make_gate(void)
{
	void *memory;

	NEED(cuMemHostAlloc(&memory, sizeof(uint32_t), CU_MEMHOSTALLOC_PORTABLE));
	*(uint32_t *)memory = 0;
	return (struct gate){memory};
}

/*
 * Use a batch. For a single wait, culprit knows which memory it reads, and so that it cannot fail.
 */
static void hold(CUstream stream, struct gate gate)
{
	CUstreamBatchMemOpParams wait = {.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
						       .address = (CUdeviceptr)(uintptr_t)gate.word,
						       .value = 1,
						       .flags = CU_STREAM_WAIT_VALUE_EQ}};

	NEED(cuStreamBatchMemOp(stream, 1, &wait, 0));
}

static void open_gate(struct gate gate)
{
	__atomic_store_n(gate.word, 1, __ATOMIC_RELEASE);
}

static int say_end(void)
{
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * The bad launch waits in a green context that is destroyed. The next green context has the same
 * handle, and its default stream finishes all its work, but this is another stream.
 */
int green_handle_again(void)
{
	CUcontext first, second;
	struct gate bad, innocent;
	CUgreenCtx green;

	host_open();
	bad = make_gate();
	innocent = make_gate();
	green = host_make_green(&first);
	NEED(cuCtxSetCurrent(first));
	hold(NULL, bad);
	say("cuLaunchKernel", host_stray(NULL));
	NEED(cuGreenCtxDestroy(green));
	host_make_green(&second);
	NEED_TRUE(first == second);
	NEED(cuCtxSetCurrent(second));
	NEED(host_fill(NULL));
	NEED(host_fill(NULL));
	NEED(cuStreamSynchronize(NULL));
	hold(NULL, innocent);
	NEED(host_fill(NULL));
	open_gate(bad);
	host_use();
	return say_end();
}

/* A green context is the last user of the primary one, whose handle is reused as well. */
int green_ends_primary(void)
{
	CUcontext first, context;
	CUgreenCtx green;
	CUstream stream;

	host_open();
	NEED(cuCtxGetCurrent(&first));
	green = host_make_green(&context);
	NEED(cuDevicePrimaryCtxRelease(0));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(stream));
	NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	NEED(cuGreenCtxDestroy(green));
	NEED(cuDevicePrimaryCtxRetain(&context, 0));
	NEED_TRUE(first == context);
	NEED(cuCtxSetCurrent(context));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(stream, 10));
	say("cuLaunchKernel", host_stray(stream));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(stream, 10));
	return say_end();
}

/*
 * The kernels are loaded in a green context. Another green one of the same primary context ends,
 * and so does a context that has nothing to do with them.
 */
int others_end(void)
{
	CUcontext own, ended;
	CUgreenCtx green;

	NEED(cuInit(0));
	host_make_green(&own);
	NEED(cuCtxSetCurrent(own));
	host_load();
	NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	green = host_make_green(&ended);
	NEED(cuGreenCtxDestroy(green));
	NEED(cuCtxCreate(&ended, NULL, 0, 0));
	NEED(cuCtxDestroy(ended));
	NEED(cuCtxSetCurrent(own));
	NEED(host_fill(NULL));
	return host_fail();
}

static void use_green(int i)
{
	CUcontext context;
	CUgreenCtx green = host_make_green(&context);
	CUstream stream;

	NEED(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
	NEED(host_fill(stream));
	NEED(cuCtxSetCurrent(context));
	NEED(host_fill(NULL));
	/* Synchronise the green context, or its primary one. */
	if (i % 2)
		host_use();
	NEED(cuCtxSynchronize());
	host_use();
	NEED(cuStreamDestroy(stream));
	NEED(cuGreenCtxDestroy(green));
}

/* The rows of green contexts, and what their markers need, are reused. */
int many_greens(void)
{
	enum { N_GREENS = 3000, N_WARM_UP = 300 };
	size_t before = 0;

	host_open();
	for (int i = 0; i < N_GREENS; i++) {
		if (i == N_WARM_UP)
			before = host_resident_bytes();
		use_green(i);
	}
	say_growth(before);
	return host_fail();
}

/*
 * Launch on streams of two green contexts, with the primary one current, as most programs use them.
 */
int green_streams(void)
{
	CUcontext contexts[2];
	CUstream streams[2];

	host_open();
	for (int i = 0; i < 2; i++)
		NEED(cuGreenCtxStreamCreate(&streams[i], host_make_green(&contexts[i]),
					    CU_STREAM_NON_BLOCKING, 0));
	for (int i = 0; i < 10; i++)
		for (int s = 0; s < 2; s++)
			NEED(host_fill(streams[s]));
	NEED(cuCtxSynchronize());
	NEED(host_fill(streams[0]));
	NEED(cuStreamSynchronize(streams[0]));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(streams[1], 10));
	say("cuLaunchKernel", host_stray(streams[1]));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(streams[1], 10));
	return say_end();
}

/*
 * The fault waits for a green context's event. A stream of the other green context waits for no
 * event.
 */
int green_events(void)
{
	CUcontext first, second;
	CUgreenCtx greens[2];
	CUstream stream;
	CUevent event;
	struct gate gate;

	host_open();
	gate = make_gate();
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	greens[0] = host_make_green(&first);
	greens[1] = host_make_green(&second);
	NEED(cuGreenCtxStreamCreate(&stream, greens[0], CU_STREAM_NON_BLOCKING, 0));
	hold(stream, gate);
	NEED(host_fill(stream));
	NEED(cuGreenCtxRecordEvent(greens[0], event));
	NEED(cuGreenCtxWaitEvent(greens[1], event));
	NEED(cuGreenCtxStreamCreate(&stream, greens[1], CU_STREAM_NON_BLOCKING, 0));
	NEED(host_fill(stream));
	say("cuLaunchKernel", host_stray(stream));
	open_gate(gate);
	NEED(cuEventSynchronize(event));
	return say_end();
}

/*
 * The second context's memory is copied while the first context is current and its default stream
 * waits. When the copy is done, that stream need not be.
 */
int copy_of_other_context(void)
{
	struct gate bad, innocent;
	CUdeviceptr memory;
	CUcontext second;
	CUstream stream;
	char copied[64];

	host_open();
	bad = make_gate();
	innocent = make_gate();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuCtxCreate(&second, NULL, 0, 0));
	NEED(cuMemAlloc(&memory, sizeof(copied)));
	host_use();
	hold(stream, innocent);
	NEED(host_fill(stream));
	hold(NULL, bad);
	say("cuLaunchKernel", host_stray(NULL));
	NEED(cuMemcpyDtoH(copied, memory, sizeof(copied)));
	open_gate(bad);
	return say_end();
}

/* The second device's stream is first seen from the first device's context. */
int foreign_stream(void)
{
	CUcontext second;
	CUdeviceptr memory;
	CUstream stream;

	host_open();
	NEED(cuDevicePrimaryCtxRetain(&second, 1));
	NEED(cuCtxSetCurrent(second));
	NEED(cuMemAlloc(&memory, 4096));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	host_use();
	for (int i = 0; i < 3; i++)
		NEED(cuMemcpyDtoDAsync(memory, memory + 1024, 1024, stream));
	NEED(cuCtxSetCurrent(second));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(stream, 10));
	say("cuLaunchKernel", host_stray(stream));
	for (int i = 0; i < 3; i++)
		NEED(host_spin(stream, 10));
	return say_end();
}

/*
 * The second device works, and continues after the first one has failed. The work that it finishes
 * later clears no suspect of the first device.
 */
int other_device_goes_on(void)
{
	CUcontext second;
	CUstream stream;
	CUevent event;

	host_open();
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	NEED(cuDevicePrimaryCtxRetain(&second, 1));
	NEED(cuCtxSetCurrent(second));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 20; i++)
		NEED(host_spin(stream, 500));
	host_use();
	NEED(host_fill(NULL));
	say("cuLaunchKernel", host_stray(NULL));
	NEED(cuEventRecord(event, NULL));
	NEED(cuCtxSetCurrent(second));
	NEED(cuStreamWaitEvent(stream, event, 0));
	NEED(host_spin(stream, 10));
	return say_end();
}

/* A context in which one thread works while another one destroys it, as programs do at exit. */
static struct {
	CUcontext context;
	CUdeviceptr memory;
	pthread_barrier_t begins, ends; /* of a round */
	unsigned n_made;                /* atomic: calls of this round */
} shared;

enum { N_SHARED = 300, SHARED_CALLS = 16 };

static void use_shared(void)
{
	unsigned n = 0;

	/* The context may be destroyed already; then all later calls are refused. */
	(void)cuCtxSetCurrent(shared.context);
	while (n < SHARED_CALLS && cuMemsetD8Async(shared.memory, 1, 64, NULL) == CUDA_SUCCESS)
		__atomic_store_n(&shared.n_made, ++n, __ATOMIC_RELEASE);
	__atomic_store_n(&shared.n_made, SHARED_CALLS, __ATOMIC_RELEASE);
}

static void make_and_end_shared(int round)
{
	NEED(cuCtxCreate(&shared.context, NULL, 0, 0));
	NEED(cuMemAlloc(&shared.memory, 64));
	__atomic_store_n(&shared.n_made, 0, __ATOMIC_RELAXED);
	(void)pthread_barrier_wait(&shared.begins);
	while (__atomic_load_n(&shared.n_made, __ATOMIC_ACQUIRE) < (unsigned)round % SHARED_CALLS)
		;
	NEED(cuCtxDestroy(shared.context));
	(void)pthread_barrier_wait(&shared.ends);
}

static void share_contexts(unsigned index)
{
	for (int round = 0; round < N_SHARED; round++) {
		if (index == 0) {
			make_and_end_shared(round);
			continue;
		}
		(void)pthread_barrier_wait(&shared.begins);
		use_shared();
		(void)pthread_barrier_wait(&shared.ends);
	}
}

int contexts_end_in_use(void)
{
	host_open();
	NEED_TRUE(!pthread_barrier_init(&shared.begins, NULL, 2));
	NEED_TRUE(!pthread_barrier_init(&shared.ends, NULL, 2));
	host_threads(2, 0, share_contexts);
	return host_fail();
}

/* Make a stream wait for the event, and destroy the stream before it gets any work. */
static void wait_and_leave(CUevent event)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamWaitEvent(stream, event, 0));
	NEED(cuStreamDestroy(stream));
}

/*
 * When the next stream's work has finished, this proves nothing about the work that the previous
 * owner of its row waited for.
 */
int row_of_waiting_stream(void)
{
	CUstream stream, next;
	CUevent event;

	host_open();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	host_close_gate(stream);
	NEED(host_stray(stream));
	NEED(cuEventRecord(event, stream));
	wait_and_leave(event);
	NEED(cuStreamCreate(&next, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(next));
	NEED(cuStreamSynchronize(next));
	host_open_gate();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * first_errors.c - hosts whose first error, or later errors, must stay what they are: frees that
 * race for the failure, an error that is not a failure, and contexts that live on.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_THREADS = 4, N_BYTES = 4096 };

static CUdeviceptr buffers[N_THREADS];
static atomic_uint n_coming, n_errors;

static CUdeviceptr allocate(void)
{
	CUdeviceptr data;

	NEED(cuMemAlloc(&data, N_BYTES));
	return data;
}

static void free_own(unsigned index)
{
	atomic_fetch_add(&n_coming, 1);
	if (cuMemFree(buffers[index]) != CUDA_SUCCESS)
		atomic_fetch_add(&n_errors, 1);
}

static void *open_gate_late(void *unused)
{
	while (atomic_load(&n_coming) < N_THREADS)
		;
	host_open_gate();
	return unused;
}

/* All threads wait in the driver for the kernel that fails; no other call reports the error. */
int racing_frees(void)
{
	pthread_t opener;

	host_open();
	for (unsigned i = 0; i < N_THREADS; i++)
		buffers[i] = allocate();
	host_close_gate(NULL);
	NEED(host_stray(NULL));
	NEED_TRUE(!pthread_create(&opener, NULL, open_gate_late, NULL));
	host_threads(N_THREADS, 0, free_own);
	NEED_TRUE(!pthread_join(opener, NULL));
	puts(atomic_load(&n_errors) ? "FAILED" : "PASSED");
	return atomic_load(&n_errors) != 0;
}

/* Release objects twice in the current context, which is sound. */
static void make_mistakes(void)
{
	CUdeviceptr data = allocate();
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	say("cuMemFree", cuMemFree(data));
	say("cuMemFree again", cuMemFree(data));
	say("cuStreamDestroy", cuStreamDestroy(stream));
	say("cuStreamDestroy again", cuStreamDestroy(stream));
}

/* The thread has one context, which is sound, and leaves it. */
static void make_mistake_without_context(void)
{
	NEED(cuCtxSetCurrent(NULL));
	say("cuStreamDestroy without a context", cuStreamDestroy(NULL));
}

/* SIMCUDA_INJECT makes cuStreamQuery return a sticky code once, while nothing has failed. */
int invented_without_context(void)
{
	host_open();
	host_launch_some(10);
	NEED(cuCtxSetCurrent(NULL));
	say("cuStreamQuery", cuStreamQuery(NULL));
	host_use();
	make_mistakes();
	make_mistake_without_context();
	host_use();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

static CUcontext make_context(void)
{
	CUcontext context;

	NEED(cuCtxCreate(&context, NULL, 0, 0));
	return context;
}

static void *destroy_context(void *context)
{
	NEED(cuCtxDestroy(context));
	return NULL;
}

/* The same if another thread has destroyed the current context. */
int invented_in_destroyed_context(void)
{
	CUcontext context;
	pthread_t thread;

	host_open();
	host_launch_some(10);
	context = make_context();
	NEED_TRUE(!pthread_create(&thread, NULL, destroy_context, context));
	NEED_TRUE(!pthread_join(thread, NULL));
	say("cuStreamQuery", cuStreamQuery(NULL));
	host_use();
	make_mistakes();
	make_mistake_without_context();
	host_use();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

static void query_at_exit(void)
{
	say("cuStreamQuery", cuStreamQuery(NULL));
	say("cuStreamDestroy", cuStreamDestroy(NULL));
}

/* The same if the driver has shut down already. */
int invented_at_exit(void)
{
	NEED_TRUE(!atexit(query_at_exit));
	host_open();
	host_launch_some(10);
	return 0;
}

/*
 * A failure that is confined to one context (SIMCUDA_CONTAINED=1) is seen from another context, by
 * a call about the failed context's stream. Wrong calls in the sound context still fail.
 */
int failed_elsewhere(void)
{
	CUdeviceptr data;
	CUcontext sound;
	CUstream stream;

	host_open();
	data = allocate();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	sound = make_context();
	host_use();
	NEED(host_stray(stream));
	NEED(cuCtxSetCurrent(sound));
	say("cuStreamSynchronize", cuStreamSynchronize(stream));
	make_mistakes();
	say("cuCtxSynchronize", cuCtxSynchronize());
	host_use();
	printf("cleanup: cuMemFree %d\n", (int)cuMemFree(data));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * The failed context is destroyed, and the program continues in a new one, which fails later. A
 * free is the first call to report each failure.
 */
int fails_again(void)
{
	CUdeviceptr data[2];
	CUcontext failed;

	NEED(cuInit(0));
	failed = make_context();
	host_load();
	data[0] = allocate();
	data[1] = allocate();
	NEED(host_stray(NULL));
	say("cuMemFree", cuMemFree(data[0]));
	printf("cleanup: cuMemFree %d\n", (int)cuMemFree(data[1]));
	say("cuCtxDestroy", cuCtxDestroy(failed));
	make_context();
	host_load();
	host_launch_some(10);
	data[0] = allocate();
	data[1] = allocate();
	NEED(host_stray(NULL));
	say("cuMemFree", cuMemFree(data[0]));
	printf("cleanup: cuMemFree %d\n", (int)cuMemFree(data[1]));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * Like fails_again(), but the new context stays sound, and only the program makes mistakes in it.
 */
int goes_on_afterwards(void)
{
	CUcontext failed;

	NEED(cuInit(0));
	failed = make_context();
	host_load();
	(void)host_fail();
	say("cuCtxDestroy", cuCtxDestroy(failed));
	failed = make_context();
	host_load();
	host_launch_some(10);
	make_mistakes();
	make_mistake_without_context();
	NEED(cuCtxSetCurrent(failed));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * threads.c - contexts and threads.
 */
#include <pthread.h>
#include <stdlib.h>

#include "samples.h"

enum { N_THREADS = 8 };

static const struct corpus *shared;

/* Work with a context, a stream and memory of this thread. */
static void *work(void *unused)
{
	CUcontext context = NULL;
	CUstream stream = NULL;
	CUdeviceptr data = 0;
	struct corpus own = {.device = shared->device,
			     .kernel_suffix = shared->kernel_suffix,
			     .program = shared->program};

	(void)unused;
	snprintf(own.kernels, sizeof(own.kernels), "%s", shared->kernels);
	NEED(cuCtxCreate_v2(&context, CU_CTX_SCHED_BLOCKING_SYNC, own.device));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuMemAlloc_v2(&data, SAMPLE_BYTES));
	for (int i = 0; i < 50; i++)
		sample_fill(&own, data, stream);
	NEED(cuStreamSynchronize(stream));
	NEED(cuMemFree_v2(data));
	NEED(cuStreamDestroy_v2(stream));
	NEED(cuModuleUnload(own.modules[0].module));
	NEED(cuCtxDestroy_v2(context));
	return NULL;
}

int threads(struct corpus *corpus)
{
	pthread_t started[N_THREADS];

	corpus_open(corpus);
	shared = corpus;
	for (int i = 0; i < N_THREADS; i++)
		if (pthread_create(&started[i], NULL, work, NULL))
			return 2;
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(started[i], NULL);
	say("cuCtxSynchronize", cuCtxSynchronize());
	corpus_close(corpus);
	return 0;
}

static CUdeviceptr handed_data;

static void *borrow(void *corpus)
{
	CUcontext context = NULL;

	say("cuCtxGetCurrent", cuCtxGetCurrent(&context));
	printf("context %s\n", context ? "set" : "none");
	say("cuMemFree without a context", cuMemFree_v2(12345));
	NEED(cuCtxPushCurrent_v2(((struct corpus *)corpus)->context));
	sample_fill(corpus, handed_data, NULL);
	NEED(cuCtxSynchronize());
	NEED(cuCtxPopCurrent_v2(&context));
	say("cuCtxPopCurrent", cuCtxPopCurrent_v2(&context));
	return NULL;
}

int one_context(struct corpus *corpus)
{
	CUcontext context = NULL;
	pthread_t thread;

	corpus_open(corpus);
	handed_data = corpus_buffer(corpus, SAMPLE_BYTES);
	NEED(cuCtxPopCurrent_v2(&context));
	for (int i = 0; i < 4; i++) {
		if (pthread_create(&thread, NULL, borrow, corpus))
			return 2;
		pthread_join(thread, NULL);
	}
	NEED(cuCtxSetCurrent(context));
	printf("word %u\n", sample_word(handed_data));
	corpus_close(corpus);
	return 0;
}

static void use_primary(struct corpus *corpus)
{
	CUdeviceptr data = 0;

	NEED(cuMemAlloc_v2(&data, SAMPLE_BYTES));
	sample_fill(corpus, data, NULL);
	printf("word %s\n", sample_word(data) ? "set" : "0");
}

int primary_context(struct corpus *corpus)
{
	CUcontext own, context = NULL, again = NULL;
	unsigned flags = 0;
	int is_active = 0;

	corpus_open(corpus);
	own = corpus->context;
	for (int i = 0; i < 3; i++) {
		corpus->n_modules = 0; /* their context no longer exists */
		NEED(cuDevicePrimaryCtxRetain(&context, corpus->device));
		NEED(cuDevicePrimaryCtxRetain(&again, corpus->device));
		printf("the same %d\n", context == again);
		NEED(cuCtxSetCurrent(context));
		use_primary(corpus);
		say("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2(corpus->device));
		say("cuDevicePrimaryCtxReset", cuDevicePrimaryCtxReset_v2(corpus->device));
		say("cuDevicePrimaryCtxGetState",
		    cuDevicePrimaryCtxGetState(corpus->device, &flags, &is_active));
		printf("flags %u, active %d\n", flags, is_active);
	}
	corpus->n_modules = 0;
	NEED(cuCtxSetCurrent(own));
	corpus_close(corpus);
	return 0;
}

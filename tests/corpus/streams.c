/*
 * streams.c - bad launches among much other work: deep streams, several streams, streams that
 * depend on each other, and threads.
 */
#include "scenarios.h"
#include <pthread.h>

enum { SPIN_US = 20 };

CUresult late_in_stream(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", stream, VALUES(data, FAR_INDEX));
	for (int i = 1; i <= 300; i++)
		if (i == 217)
			LAUNCH_BAD(corpus, &bad);
		else
			launch_spin(corpus, SPIN_US, stream);
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
}

CUresult one_of_four_streams(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUstream streams[4];
	for (int s = 0; s < 4; s++)
		streams[s] = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", streams[2], VALUES(data, FAR_INDEX));
	for (int i = 0; i < 100; i++)
		for (int s = 0; s < 4; s++)
			if (i == 60 && s == 2)
				LAUNCH_BAD(corpus, &bad);
			else
				launch_spin(corpus, SPIN_US, streams[s]);
	return synchronize();
}

static void spin_often(struct corpus *corpus, int n_launches, CUstream stream)
{
	for (int i = 0; i < n_launches; i++)
		launch_spin(corpus, SPIN_US, stream);
}

CUresult after_event_wait(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUstream first = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUstream second = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUevent event = corpus_event(corpus);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", second, VALUES(data, FAR_INDEX));
	spin_often(corpus, 50, first);
	say("cuEventRecord", CU(cuEventRecord)(event, first));
	say("cuStreamWaitEvent", CU(cuStreamWaitEvent)(second, event, 0));
	LAUNCH_BAD(corpus, &bad);
	spin_often(corpus, 50, first);
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(second));
}

CUresult per_thread_stream(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch good;
	launch_init(&good, corpus, "fill", NULL, VALUES(data, 128));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	for (int i = 1; i <= 40; i++)
		if (i == 25) {
			TRUTH_NEXT(corpus, &bad);
			CU(cuLaunchKernel_ptsz)(LAUNCH_ARGUMENTS(&bad), NULL);
		} else {
			CU(cuLaunchKernel_ptsz)(LAUNCH_ARGUMENTS(&good), NULL);
		}
	return say("cuStreamSynchronize_ptsz", CU(cuStreamSynchronize_ptsz)(NULL));
}

/* A thread's input. It does not change while threads run. */
struct worker {
	struct corpus *corpus;
	CUstream stream;
	CUdeviceptr data;
	int index;
	pthread_t thread;
};

enum { N_WORKERS = 8, BAD_WORKER = 5 };

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct corpus *corpus = worker->corpus;
	NEED(CU(cuCtxSetCurrent)(corpus->context));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", worker->stream, VALUES(worker->data, FAR_INDEX));
	for (int i = 1; i <= 50; i++)
		if (worker->index == BAD_WORKER && i == 20)
			LAUNCH_BAD(corpus, &bad);
		else
			launch_spin(corpus, SPIN_US, worker->stream);
	return NULL;
}

static void start_worker(struct worker *worker)
{
	char name[16];
	snprintf(name, sizeof(name), "worker-%d", worker->index);
	if (pthread_create(&worker->thread, NULL, run_worker, worker))
		need(CUDA_ERROR_UNKNOWN, "pthread_create");
	pthread_setname_np(worker->thread, name);
}

CUresult one_of_eight_threads(struct corpus *corpus)
{
	corpus_kernel(corpus, "stray_store");
	corpus_kernel(corpus, "spin");
	struct worker workers[N_WORKERS];
	for (int i = 0; i < N_WORKERS; i++)
		workers[i] = (struct worker){
			.corpus = corpus,
			.stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING),
			.data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES),
			.index = i,
		};
	for (int i = 0; i < N_WORKERS; i++)
		start_worker(&workers[i]);
	for (int i = 0; i < N_WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	return synchronize();
}

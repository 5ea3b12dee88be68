/* streams.c - streams, and work in them other than kernels. */
#include <stdatomic.h>
#include <stdlib.h>

#include "samples.h"

static atomic_uint n_called;

static void CUDA_CB count(void *unused)
{
	(void)unused;
	atomic_fetch_add(&n_called, 1);
}

static void CUDA_CB count_good(CUstream stream, CUresult status, void *unused)
{
	(void)stream;
	(void)unused;
	atomic_fetch_add(&n_called, status == CUDA_SUCCESS ? 100 : 0);
}

int callbacks(struct corpus *corpus)
{
	CUdeviceptr data;
	CUstream stream;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	for (int i = 0; i < 10; i++) {
		sample_fill(corpus, data, stream);
		NEED(cuLaunchHostFunc(stream, count, NULL));
		NEED(cuStreamAddCallback(stream, count_good, NULL, 0));
	}
	say("cuStreamSynchronize", cuStreamSynchronize(stream));
	printf("called %u\n", atomic_load(&n_called));
	corpus_close(corpus);
	return 0;
}

int priorities(struct corpus *corpus)
{
	CUstream streams[2 * 8];
	CUdeviceptr data;
	CUevent event;
	int least = 0, greatest = 0, priority = 0, range;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	event = corpus_event(corpus);
	NEED(cuCtxGetStreamPriorityRange(&least, &greatest));
	range = least - greatest + 1;
	for (int i = 0; i < 16; i++)
		NEED(cuStreamCreateWithPriority(&streams[i], CU_STREAM_NON_BLOCKING,
						least - i % range));
	for (int i = 0; i < 64; i++) {
		launch_spin(corpus, 20, streams[i % 16]);
		sample_add(corpus, data, data, data, streams[i % 16]);
		NEED(cuEventRecord(event, streams[i % 16]));
		NEED(cuStreamWaitEvent(streams[(i + 1) % 16], event, 0));
	}
	say("cuCtxSynchronize", cuCtxSynchronize());
	for (int i = 0; i < 16; i++) {
		NEED(cuStreamGetPriority(streams[i], &priority));
		printf("priority %d\n", priority);
		NEED(cuStreamQuery(streams[i]));
		NEED(cuStreamDestroy_v2(streams[i]));
	}
	corpus_close(corpus);
	return 0;
}

int default_streams(struct corpus *corpus)
{
	CUdeviceptr data;
	CUstream blocking;
	CUcontext context = NULL;
	unsigned flags = 0;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	blocking = corpus_stream(corpus, CU_STREAM_DEFAULT);
	for (int i = 0; i < 10; i++) {
		sample_fill(corpus, data, NULL);
		sample_add(corpus, data, data, data, CU_STREAM_PER_THREAD);
		sample_add(corpus, data, data, data, blocking);
		sample_fill(corpus, data, CU_STREAM_LEGACY);
	}
	say("cuStreamSynchronize", cuStreamSynchronize(NULL));
	say("cuStreamSynchronize_ptsz", cuStreamSynchronize_ptsz(NULL));
	say("cuStreamGetFlags", cuStreamGetFlags(CU_STREAM_PER_THREAD, &flags));
	say("cuStreamGetCtx", cuStreamGetCtx(blocking, &context));
	say("cuStreamDestroy", cuStreamDestroy_v2(NULL));
	printf("flags %u, context %s\n", flags, context == corpus->context ? "right" : "wrong");
	corpus_close(corpus);
	return 0;
}

int memory_operations(struct corpus *corpus)
{
	CUstream first, second;
	CUdeviceptr word, data;
	CUstreamBatchMemOpParams batch[2] = {
		{.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
				.value = 3,
				.flags = CU_STREAM_WRITE_VALUE_DEFAULT}},
		{.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
				.value = 4,
				.flags = CU_STREAM_WRITE_VALUE_DEFAULT}}};

	corpus_open(corpus);
	word = corpus_buffer(corpus, 64);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	first = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	second = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	batch[0].writeValue.address = word;
	batch[1].writeValue.address = word + 4;
	NEED(cuStreamWriteValue32_v2(first, word, 1, 0));
	NEED(cuStreamWaitValue32_v2(second, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
	sample_fill(corpus, data, second);
	NEED(cuStreamWriteValue32_v2(second, word, 2, 0));
	NEED(cuStreamWaitValue32_v2(first, word, 2, CU_STREAM_WAIT_VALUE_GEQ));
	say("cuStreamBatchMemOp", cuStreamBatchMemOp_v2(first, 2, batch, 0));
	say("cuStreamSynchronize", cuStreamSynchronize(first));
	printf("words %u %u\n", sample_word(word), sample_word(word + 4));
	corpus_close(corpus);
	return 0;
}

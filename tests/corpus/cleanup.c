/*
 * cleanup.c - what garbage collectors and destructors do after a failure: everything that the
 * program made is given back, one call after another, each under a pushed context.
 */
#include "scenarios.h"

/* Objects beyond those that struct corpus keeps, one of each kind. */
struct belongings {
	CUdeviceptr managed, pooled;
	void *host;
	CUgraph graph;
	CUgraphExec executable;
};

static void acquire(struct corpus *corpus, struct belongings *owned, CUstream stream)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);

	corpus_kernel(corpus, "fill");
	NEED(CU(cuMemAllocManaged)(&owned->managed, CORPUS_BUFFER_BYTES, CU_MEM_ATTACH_GLOBAL));
	NEED(CU(cuMemAllocAsync)(&owned->pooled, CORPUS_BUFFER_BYTES, stream));
	NEED(CU(cuMemHostAlloc)(&owned->host, CORPUS_BUFFER_BYTES, 0));
	NEED(CU(cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(launch_fill(corpus, data, stream));
	NEED(CU(cuStreamEndCapture)(stream, &owned->graph));
	NEED(CU(cuGraphInstantiateWithFlags)(&owned->executable, owned->graph, 0));
	NEED(CU(cuGraphLaunch)(owned->executable, stream));
}

static void release(const struct corpus *corpus, const struct belongings *owned, CUstream stream)
{
	CUcontext popped;

	say_cleanup("cuCtxPushCurrent", CU(cuCtxPushCurrent_v2)(corpus->context));
	say_cleanup("cuMemFree", CU(cuMemFree_v2)(owned->managed));
	say_cleanup("cuMemFreeAsync", CU(cuMemFreeAsync)(owned->pooled, stream));
	say_cleanup("cuMemFreeHost", CU(cuMemFreeHost)(owned->host));
	say_cleanup("cuGraphExecDestroy", CU(cuGraphExecDestroy)(owned->executable));
	say_cleanup("cuGraphDestroy", CU(cuGraphDestroy)(owned->graph));
	say_cleanup("cuMemFree(0)", CU(cuMemFree_v2)(0));
	say_cleanup("cuCtxPopCurrent", CU(cuCtxPopCurrent_v2)(&popped));
}

/* Work, queries, copies and syncs must keep the error: only cleanup may be made harmless. */
static void ask_again(CUdeviceptr data, CUstream stream)
{
	uint32_t word = 0;

	say("cuStreamQuery", CU(cuStreamQuery)(stream));
	say("cuMemcpyDtoH", CU(cuMemcpyDtoH_v2)(&word, data, sizeof(word)));
	say("cuMemAlloc", CU(cuMemAlloc_v2)(&data, CORPUS_BUFFER_BYTES));
	say("cuCtxSynchronize", CU(cuCtxSynchronize)());
}

CUresult cleanup_storm(struct corpus *corpus)
{
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUevent event = corpus_event(corpus);
	struct belongings owned;
	struct launch bad;
	CUresult code;

	acquire(corpus, &owned, stream);
	launch_init(&bad, corpus, "stray_store", stream, VALUES(data, FAR_INDEX));
	NEED(CU(cuEventRecord)(event, stream));
	LAUNCH_BAD(corpus, &bad);
	code = synchronize();
	ask_again(data, stream);
	release(corpus, &owned, stream);
	return code;
}

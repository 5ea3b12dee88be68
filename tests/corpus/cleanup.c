/*
 * cleanup.c - what garbage collectors and destructors do after a failure: they release everything
 * that the program made, one call after another, each under a pushed context.
 */
#include "scenarios.h"

/* Objects that struct corpus does not hold, one of each kind. */
struct belongings {
	CUdeviceptr managed, pooled;
	void *host;
	CUarray array;
	CUmemoryPool pool;
	CUgraph graph;
	CUgraphExec executable;
};

static char registered[CORPUS_BUFFER_BYTES] __attribute__((aligned(CORPUS_BUFFER_BYTES)));

static void acquire_memory(const struct corpus *corpus, struct belongings *owned, CUstream stream)
{
	const CUDA_ARRAY_DESCRIPTOR shape = {64, 64, CU_AD_FORMAT_FLOAT, 1};
	const CUmemPoolProps pinned = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
				       .location.type = CU_MEM_LOCATION_TYPE_DEVICE,
				       .location.id = corpus->device};
	NEED(CU(cuMemAllocManaged)(&owned->managed, CORPUS_BUFFER_BYTES, CU_MEM_ATTACH_GLOBAL));
	NEED(CU(cuMemAllocAsync)(&owned->pooled, CORPUS_BUFFER_BYTES, stream));
	NEED(CU(cuMemHostAlloc)(&owned->host, CORPUS_BUFFER_BYTES, 0));
	NEED(CU(cuMemHostRegister_v2)(registered, sizeof(registered), 0));
	NEED(CU(cuArrayCreate_v2)(&owned->array, &shape));
	NEED(CU(cuMemPoolCreate)(&owned->pool, &pinned));
}

static void acquire_graph(struct corpus *corpus, struct belongings *owned, CUstream stream)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	corpus_kernel(corpus, "fill");
	NEED(CU(cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(launch_fill(corpus, data, stream));
	NEED(CU(cuStreamEndCapture)(stream, &owned->graph));
	NEED(CU(cuGraphInstantiateWithFlags)(&owned->executable, owned->graph, 0));
	NEED(CU(cuGraphLaunch)(owned->executable, stream));
}

static void release(const struct corpus *corpus, const struct belongings *owned, CUstream stream)
{
	say_cleanup("cuCtxPushCurrent", CU(cuCtxPushCurrent_v2)(corpus->context));
	say_cleanup("cuMemFree", CU(cuMemFree_v2)(owned->managed));
	say_cleanup("cuMemFree(0)", CU(cuMemFree_v2)(0));
	say_cleanup("cuMemFreeAsync", CU(cuMemFreeAsync)(owned->pooled, stream));
	say_cleanup("cuMemFreeHost", CU(cuMemFreeHost)(owned->host));
	say_cleanup("cuMemHostUnregister", CU(cuMemHostUnregister)(registered));
	say_cleanup("cuArrayDestroy", CU(cuArrayDestroy)(owned->array));
	say_cleanup("cuMemPoolDestroy", CU(cuMemPoolDestroy)(owned->pool));
	say_cleanup("cuGraphExecDestroy", CU(cuGraphExecDestroy)(owned->executable));
	say_cleanup("cuGraphDestroy", CU(cuGraphDestroy)(owned->graph));
	CUcontext popped = NULL;
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

/* Detach the context, as PyCUDA does, instead of destroying it. */
static void detach(struct corpus *corpus)
{
	CUcontext context = corpus->context;
	corpus->context = NULL;
	corpus_close(corpus);
	say_cleanup("cuCtxDetach", CU(cuCtxDetach)(context));
}

CUresult cleanup_storm(struct corpus *corpus)
{
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUevent event = corpus_event(corpus);
	struct belongings owned;
	acquire_memory(corpus, &owned, stream);
	acquire_graph(corpus, &owned, stream);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", stream, VALUES(data, FAR_INDEX));
	NEED(CU(cuEventRecord)(event, stream));
	LAUNCH_BAD(corpus, &bad);
	CUresult code = synchronize();
	ask_again(data, stream);
	release(corpus, &owned, stream);
	detach(corpus);
	return code;
}

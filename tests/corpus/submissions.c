/*
 * submissions.c - bad work other than a plain cuLaunchKernel on plain memory: other launch calls,
 * graphs, copies, managed and stream-ordered memory.
 */
#include "scenarios.h"

CUresult launch_ex(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
				     .value.programmaticStreamSerializationAllowed = 1};
	CUlaunchConfig config = {4, 1, 1, 32, 1, 1, 0, stream, &overlap, 1};
	struct launch good;
	launch_init(&good, corpus, "fill", stream, VALUES(data, 128));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", stream, VALUES(data, FAR_INDEX));
	for (int i = 1; i <= 40; i++) {
		config.numAttrs = i % 2 ? 1 : 0;
		if (i == 25) {
			TRUTH_NEXT(corpus, &bad);
			CU(cuLaunchKernelEx)(&config, bad.function, bad.params, NULL);
		} else {
			CU(cuLaunchKernelEx)(&config, good.function, good.params, NULL);
		}
	}
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
}

/* cuLaunchCooperativeKernel is cuLaunchKernel without its last parameter. */
CUresult cooperative(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch good;
	launch_init(&good, corpus, "fill", NULL, VALUES(data, 128));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	for (int i = 0; i < 10; i++)
		CU(cuLaunchCooperativeKernel)(LAUNCH_ARGUMENTS(&good));
	TRUTH_NEXT(corpus, &bad);
	CU(cuLaunchCooperativeKernel)(LAUNCH_ARGUMENTS(&bad));
	CU(cuLaunchCooperativeKernel)(LAUNCH_ARGUMENTS(&good));
	return synchronize();
}

/* Capture a graph of fills with one node that stores where a word in memory says. */
static void capture_graph(struct corpus *corpus, CUstream stream, CUdeviceptr data,
			  struct launch *through, CUgraph *graph)
{
	corpus_kernel(corpus, "fill");
	NEED(CU(cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	for (int i = 0; i < 3; i++)
		NEED(launch_fill(corpus, data, stream));
	NODE_NEXT(through);
	NEED(LAUNCH(through));
	NEED(launch_fill(corpus, data, stream));
	NEED(CU(cuStreamEndCapture)(stream, graph));
}

CUresult graph_replay(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUdeviceptr index = corpus_buffer(corpus, sizeof(uint64_t));
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	struct launch through;
	launch_init(&through, corpus, "store_through", stream, VALUES(data, index));
	CUgraph graph = NULL;
	capture_graph(corpus, stream, data, &through, &graph);
	CUgraphExec executable = NULL;
	NEED(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
	for (int i = 0; i < 6; i++)
		CU(cuGraphLaunch)(executable, stream);
	CU(cuMemsetD32Async)(index, FAR_INDEX >> 32, sizeof(uint64_t) / sizeof(uint32_t), stream);
	truth_other(corpus, "graph", &through, __func__, __FILE__, __LINE__ + 1);
	CU(cuGraphLaunch)(executable, stream);
	CU(cuGraphLaunch)(executable, stream);
	CUresult code = say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
	say_cleanup("cuGraphExecDestroy", CU(cuGraphExecDestroy)(executable));
	say_cleanup("cuGraphDestroy", CU(cuGraphDestroy)(graph));
	return code;
}

/* A range of addresses that maps memory, which can be unmapped again. */
struct mapped_range {
	CUdeviceptr address;
	size_t size_bytes;
	CUmemGenericAllocationHandle memory;
};

static void map_range(const struct corpus *corpus, struct mapped_range *range)
{
	CUmemAllocationProp properties = {
		.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = corpus->device}};
	CUmemAccessDesc access = {.location = properties.location,
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	NEED(CU(cuMemGetAllocationGranularity)(&range->size_bytes, &properties,
					       CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	NEED(CU(cuMemAddressReserve)(&range->address, range->size_bytes, 0, 0, 0));
	NEED(CU(cuMemCreate)(&range->memory, range->size_bytes, &properties, 0));
	NEED(CU(cuMemMap)(range->address, range->size_bytes, 0, range->memory, 0));
	NEED(CU(cuMemSetAccess)(range->address, range->size_bytes, &access, 1));
}

/* Make later work in the stream wait until the returned word is 1. */
static _Atomic uint32_t *close_gate(CUstream stream)
{
	void *word = NULL;
	_Atomic uint32_t *gate = NULL;
	NEED(CU(cuMemHostAlloc)(&word, sizeof(*gate), CU_MEMHOSTALLOC_DEVICEMAP));
	gate = word;
	atomic_store(gate, 0);
	CUdeviceptr address = 0;
	NEED(CU(cuMemHostGetDevicePointer_v2)(&address, word, 0));
	NEED(CU(cuStreamWaitValue32_v2)(stream, address, 1, CU_STREAM_WAIT_VALUE_GEQ));
	return gate;
}

/* The copy waits while its source is unmapped. */
CUresult copy_fault(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	struct mapped_range range;
	map_range(corpus, &range);
	corpus_kernel(corpus, "fill");
	_Atomic uint32_t *gate = close_gate(stream);
	truth_other(corpus, "copy", NULL, __func__, __FILE__, __LINE__ + 1);
	CU(cuMemcpyDtoDAsync_v2)(data, range.address, CORPUS_BUFFER_BYTES, stream);
	launch_fill(corpus, data, stream);
	say("cuMemUnmap", CU(cuMemUnmap)(range.address, range.size_bytes));
	atomic_store(gate, 1);
	CUresult code = say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
	say_cleanup("cuMemFreeHost", CU(cuMemFreeHost)(gate));
	say_cleanup("cuMemRelease", CU(cuMemRelease)(range.memory));
	say_cleanup("cuMemAddressFree", CU(cuMemAddressFree)(range.address, range.size_bytes));
	return code;
}

/* Host and GPU share the index. The host changes it only while no kernel runs, as CUDA requires. */
CUresult managed(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUdeviceptr shared = 0;
	NEED(CU(cuMemAllocManaged)(&shared, CORPUS_BUFFER_BYTES, CU_MEM_ATTACH_GLOBAL));
	uint64_t *index = (uint64_t *)(uintptr_t)shared;
	*index = 0;
	struct launch good;
	launch_init(&good, corpus, "store_through", NULL, VALUES(data, shared));
	struct launch bad;
	launch_init(&bad, corpus, "store_through", NULL, VALUES(data, shared));
	for (int i = 0; i < 10; i++)
		LAUNCH(&good);
	synchronize();
	*index = FAR_INDEX;
	LAUNCH_BAD(corpus, &bad);
	CUresult code = synchronize();
	say_cleanup("cuMemFree", CU(cuMemFree_v2)(shared));
	return code;
}

CUresult async_alloc(struct corpus *corpus)
{
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	corpus_kernel(corpus, "fill");
	CUdeviceptr data = 0;
	for (int i = 0; i < 20; i++) {
		NEED(CU(cuMemAllocAsync)(&data, CORPUS_BUFFER_BYTES, stream));
		NEED(launch_fill(corpus, data, stream));
		NEED(CU(cuMemFreeAsync)(data, stream));
	}
	NEED(CU(cuMemAllocAsync)(&data, CORPUS_BUFFER_BYTES, stream));
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", stream, VALUES(data, FAR_INDEX));
	LAUNCH_BAD(corpus, &bad);
	say_cleanup("cuMemFreeAsync", CU(cuMemFreeAsync)(data, stream));
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
}

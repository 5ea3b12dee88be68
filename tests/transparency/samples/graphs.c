/*
 * graphs.c - graphs, captured and built.
 */
#include "samples.h"

/* Capture two branches: the second stream joins by an event and returns by another. */
static CUgraph capture(struct corpus *corpus, CUstream streams[2], CUdeviceptr data)
{
	CUevent fork = corpus_event(corpus), join = corpus_event(corpus);
	CUgraph graph = NULL;

	NEED(cuStreamBeginCapture_v2(streams[0], CU_STREAM_CAPTURE_MODE_GLOBAL));
	sample_fill(corpus, data, streams[0]);
	NEED(cuEventRecord(fork, streams[0]));
	NEED(cuStreamWaitEvent(streams[1], fork, 0));
	sample_add(corpus, data + 512, data, data, streams[1]);
	sample_add(corpus, data + 1024, data, data, streams[0]);
	NEED(cuEventRecord(join, streams[1]));
	NEED(cuStreamWaitEvent(streams[0], join, 0));
	NEED(cuMemsetD32Async(data + 2048, 77, 4, streams[0]));
	NEED(cuStreamEndCapture(streams[0], &graph));
	return graph;
}

int captured_graph(struct corpus *corpus)
{
	CUgraph graph, other;
	CUgraphExec executable = NULL;
	CUgraphExecUpdateResultInfo update;
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
	CUstream streams[2];
	CUdeviceptr data;
	size_t n_nodes = 0, n_edges = 0;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	corpus_kernel(corpus, "fill");
	corpus_kernel(corpus, "add");
	streams[0] = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	streams[1] = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	graph = capture(corpus, streams, data);
	other = capture(corpus, streams, data);
	NEED(cuStreamIsCapturing(streams[0], &status));
	NEED(cuGraphGetNodes(graph, NULL, &n_nodes));
	NEED(cuGraphGetEdges_v2(graph, NULL, NULL, NULL, &n_edges));
	printf("status %d, %zu nodes, %zu edges\n", (int)status, n_nodes, n_edges);
	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	for (int i = 0; i < 20; i++)
		NEED(cuGraphLaunch(executable, streams[i % 2]));
	say("cuCtxSynchronize", cuCtxSynchronize());
	say("cuGraphExecUpdate", cuGraphExecUpdate_v2(executable, other, &update));
	say("cuGraphUpload", cuGraphUpload(executable, streams[0]));
	say("cuGraphLaunch", cuGraphLaunch(executable, streams[0]));
	printf("word %u\n", sample_word(data + 2048));
	say("cuGraphExecDestroy", cuGraphExecDestroy(executable));
	say("cuGraphDestroy", cuGraphDestroy(graph));
	say("cuGraphDestroy", cuGraphDestroy(other));
	corpus_close(corpus);
	return 0;
}

static void CUDA_CB add_one(void *number)
{
	++*(unsigned *)number;
}

static CUgraphNode add_kernel(struct corpus *corpus, CUgraph graph, CUgraphNode after,
			      CUdeviceptr data)
{
	struct launch fill;
	CUDA_KERNEL_NODE_PARAMS parameters;
	CUgraphNode node = NULL;

	launch_init(&fill, corpus, "fill", NULL, VALUES(data, 128));
	parameters = (CUDA_KERNEL_NODE_PARAMS){.func = fill.function,
					       .gridDimX = 4,
					       .gridDimY = 1,
					       .gridDimZ = 1,
					       .blockDimX = 32,
					       .blockDimY = 1,
					       .blockDimZ = 1,
					       .kernelParams = fill.params};
	NEED(cuGraphAddKernelNode_v2(&node, graph, after ? &after : NULL, after ? 1 : 0,
				     &parameters));
	return node;
}

static CUgraph build(struct corpus *corpus, CUdeviceptr data, unsigned *number)
{
	CUDA_MEMSET_NODE_PARAMS set = {
		.dst = data + 2048, .value = 5, .elementSize = 4, .width = 4, .height = 1};
	CUDA_HOST_NODE_PARAMS host = {.fn = add_one, .userData = number};
	CUgraphNode nodes[5];
	CUgraph graph = NULL;

	NEED(cuGraphCreate(&graph, 0));
	NEED(cuGraphAddEmptyNode(&nodes[0], graph, NULL, 0));
	nodes[1] = add_kernel(corpus, graph, nodes[0], data);
	NEED(cuGraphAddMemsetNode(&nodes[2], graph, &nodes[1], 1, &set, corpus->context));
	NEED(cuGraphAddHostNode(&nodes[3], graph, &nodes[2], 1, &host));
	NEED(cuGraphAddEventRecordNode(&nodes[4], graph, &nodes[3], 1, corpus_event(corpus)));
	return graph;
}

static void tell_nodes(CUgraph graph)
{
	CUgraphNode nodes[16];
	CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
	size_t n_nodes = 16;

	NEED(cuGraphGetNodes(graph, nodes, &n_nodes));
	for (size_t i = 0; i < n_nodes; i++) {
		NEED(cuGraphNodeGetType(nodes[i], &type));
		printf("node %zu: type %d\n", i, (int)type);
	}
}

int built_graph(struct corpus *corpus)
{
	CUgraph graph, clone = NULL, outer = NULL;
	CUgraphExec executable = NULL;
	CUgraphNode child = NULL;
	CUdeviceptr data;
	unsigned number = 0, word;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	graph = build(corpus, data, &number);
	tell_nodes(graph);
	NEED(cuGraphClone(&clone, graph));
	NEED(cuGraphDestroy(graph));
	NEED(cuGraphCreate(&outer, 0));
	NEED(cuGraphAddChildGraphNode(&child, outer, NULL, 0, clone));
	tell_nodes(outer);
	NEED(cuGraphInstantiateWithFlags(&executable, outer, 0));
	for (int i = 0; i < 10; i++)
		NEED(cuGraphLaunch(executable, NULL));
	word = sample_word(data + 2048); /* now the host functions have run as well */
	printf("word %u, host %u\n", word, number);
	say("cuGraphExecDestroy", cuGraphExecDestroy(executable));
	say("cuGraphDestroy", cuGraphDestroy(clone));
	say("cuGraphDestroy", cuGraphDestroy(outer));
	corpus_close(corpus);
	return 0;
}

/* Make calls that a capture refuses, and calls that invalidate it. */
int broken_capture(struct corpus *corpus)
{
	CUdeviceptr data, more = 0;
	CUstream stream;
	CUgraph graph = NULL;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	corpus_kernel(corpus, "fill");
	stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	NEED(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	sample_fill(corpus, data, stream);
	say("cuMemAlloc while capturing", cuMemAlloc_v2(&more, 64));
	say("cuStreamEndCapture", cuStreamEndCapture(stream, &graph));
	NEED(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	sample_fill(corpus, data, stream);
	say("cuStreamSynchronize while capturing", cuStreamSynchronize(stream));
	say("launch after that", launch_fill(corpus, data, stream));
	say("cuStreamEndCapture", cuStreamEndCapture(stream, &graph));
	say("cuStreamEndCapture", cuStreamEndCapture(stream, &graph));
	sample_fill(corpus, data, stream);
	say("cuCtxSynchronize", cuCtxSynchronize());
	corpus_close(corpus);
	return 0;
}

/*
 * capture.c - capture a graph in the strictest mode, in which one wrong call of this thread ends
 * the capture. Then replay it, and print each result and the number of nodes.
 */
#include <stdio.h>

#include "base/cuda_api.h"

static void say(const char *what, CUresult result)
{
	printf("%s: %d\n", what, (int)result);
}

static void CUDA_CB count_run(void *data)
{
	++*(int *)data;
}

static void fill_graph(CUstream stream, CUdeviceptr memory, int *n_runs)
{
	say("begin", cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	say("memset", cuMemsetD32Async(memory, 7, 16, stream));
	say("copy", cuMemcpyDtoDAsync_v2(memory, memory + 64, 64, stream));
	say("host function", cuLaunchHostFunc(stream, count_run, n_runs));
}

static void replay(CUgraph graph, CUstream stream)
{
	CUgraphExec executable;
	size_t n_nodes = 0;

	say("nodes", cuGraphGetNodes(graph, NULL, &n_nodes));
	printf("%zu nodes\n", n_nodes);
	say("instantiate", cuGraphInstantiateWithFlags(&executable, graph, 0));
	say("launch", cuGraphLaunch(executable, stream));
	say("launch", cuGraphLaunch(executable, stream));
	say("synchronize", cuStreamSynchronize(stream));
	say("destroy", cuGraphExecDestroy(executable));
}

int main(void)
{
	CUcontext context;
	CUstream stream;
	CUdeviceptr memory;
	CUgraph graph;
	int n_runs = 0;

	say("init", cuInit(0));
	say("context", cuCtxCreate_v2(&context, 0, 0));
	say("stream", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	say("memory", cuMemAlloc_v2(&memory, 128));
	fill_graph(stream, memory, &n_runs);
	say("end", cuStreamEndCapture(stream, &graph));
	replay(graph, stream);
	printf("%d runs\n", n_runs);
	return 0;
}

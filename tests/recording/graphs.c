/* graphs.c - graphs: made by nodes or by capture, cloned, instantiated, updated, launched. */
#include <string.h>

#include "world.h"

enum { MAX_NODES = 12 };

static void CUDA_CB on_host(void *unused)
{
	(void)unused;
}

/* The parameters of a kernel's node, which refer to the arguments beside them. */
struct kernel_node {
	unsigned tag, count;
	CUdeviceptr memory;
	void *arguments[3];
	CUDA_KERNEL_NODE_PARAMS params;
};

static void draw_kernel(struct kernel_node *out, unsigned most_blocks)
{
	*out = (struct kernel_node){.tag = draw(1000), .count = 16};
	out->memory = lasting_memory();
	out->arguments[0] = &out->tag;
	out->arguments[1] = &out->memory;
	out->arguments[2] = &out->count;
	out->params = (CUDA_KERNEL_NODE_PARAMS){.gridDimY = 1,
						.gridDimZ = 1,
						.blockDimX = 16,
						.blockDimY = 1,
						.blockDimZ = 1,
						.kernelParams = out->arguments};
	out->params.func = fill_kernel();
	out->params.gridDimX = 1 + draw(most_blocks);
}

static void add_kernel(CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraphNode *out)
{
	struct kernel_node kernel;

	draw_kernel(&kernel, 2);
	SAY(cuGraphAddKernelNode, out, graph, after, n_after, &kernel.params);
}

static void add_copy(CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraphNode *out)
{
	CUdeviceptr memory = lasting_memory();
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
			      .srcDevice = memory,
			      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
			      .dstDevice = memory + PIECE / 2,
			      .WidthInBytes = 1 + draw(64),
			      .Height = 1,
			      .Depth = 1};
	CUcontext context = NULL;

	SAY(cuCtxGetCurrent, &context);
	SAY(cuGraphAddMemcpyNode, out, graph, after, n_after, &copy, context);
}

static void add_memset(CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraphNode *out)
{
	CUdeviceptr memory = lasting_memory();
	unsigned width = 1 + draw(64);
	CUDA_MEMSET_NODE_PARAMS memset = {.dst = memory,
					  .value = width * 3,
					  .elementSize = 1u << (width % 3),
					  .width = width,
					  .height = 1};
	CUcontext context = NULL;

	SAY(cuCtxGetCurrent, &context);
	SAY(cuGraphAddMemsetNode, out, graph, after, n_after, &memset, context);
}

static void add_node(CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraphNode *out)
{
	CUDA_HOST_NODE_PARAMS host = {.fn = on_host};
	CUgraph child = world.graphs[draw(N_GRAPHS)];

	switch (draw(9)) {
	case 0:
		add_copy(graph, after, n_after, out);
		break;
	case 1:
		add_memset(graph, after, n_after, out);
		break;
	case 2:
		SAY(cuGraphAddHostNode, out, graph, after, n_after, &host);
		break;
	case 3:
		SAY(cuGraphAddEmptyNode, out, graph, after, n_after);
		break;
	case 4:
		if (child && child != graph) {
			SAY(cuGraphAddChildGraphNode, out, graph, after, n_after, child);
			break;
		}
		/* fallthrough */
	default:
		add_kernel(graph, after, n_after, out);
	}
}

static void add_nodes(CUgraph graph)
{
	CUgraphNode nodes[MAX_NODES] = {NULL};
	size_t n = 1 + draw(6);

	for (size_t i = 0; i < n; i++) {
		size_t n_after = i && draw(4) ? 1 : 0;

		add_node(graph, n_after ? &nodes[draw((unsigned)i)] : NULL, n_after, &nodes[i]);
	}
}

static void change_nodes(CUgraph graph)
{
	CUgraphNode nodes[MAX_NODES];
	size_t n = MAX_NODES, n_edges = MAX_NODES;

	SAY(cuGraphGetNodes, graph, nodes, &n);
	SAY(cuGraphGetEdges, graph, NULL, NULL, NULL, &n_edges);
	if (n > 0 && n < MAX_NODES && draw(2))
		SAY(cuGraphDestroyNode, nodes[draw((unsigned)n)]);
	else if (n < MAX_NODES / 2)
		add_nodes(graph);
}

void use_graph(void)
{
	CUgraph *graph = &world.graphs[draw(N_GRAPHS)];
	CUgraph other = world.graphs[draw(N_GRAPHS)];

	if (!*graph && other && draw(3) == 0) {
		SAY(cuGraphClone, graph, other);
	} else if (!*graph) {
		SAY(cuGraphCreate, graph, 0);
		add_nodes(*graph);
	} else if (draw(3)) {
		change_nodes(*graph);
	} else {
		SAY(cuGraphDestroy, *graph);
		*graph = NULL;
	}
}

static void make_exec(CUgraphExec *exec, CUgraph graph)
{
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {.hUploadStream = any_stream(),
						.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD};

	if (draw(2))
		SAY(cuGraphInstantiateWithFlags, exec, graph, 0);
	else
		SAY(cuGraphInstantiateWithParams, exec, graph, &params);
}

static void change_exec(CUgraphExec exec, CUgraph graph)
{
	struct kernel_node kernel;
	CUgraphExecUpdateResultInfo info = {0};
	CUgraphNode nodes[MAX_NODES];
	size_t n = MAX_NODES;

	draw_kernel(&kernel, 3);
	if (!graph || SAY(cuGraphGetNodes, graph, nodes, &n) || n == 0 || n > MAX_NODES)
		return;
	if (draw(2))
		SAY(cuGraphExecUpdate, exec, graph, &info);
	else if (draw(2))
		SAY(cuGraphExecKernelNodeSetParams, exec, nodes[draw((unsigned)n)], &kernel.params);
	else
		SAY(cuGraphNodeSetEnabled, exec, nodes[draw((unsigned)n)], n % 2);
}

void use_exec(void)
{
	unsigned i = draw(N_GRAPHS);
	CUgraphExec *exec = &world.execs[i];
	CUgraph graph = world.graphs[i];
	CUstream stream = any_stream();

	if (!*exec && graph) {
		make_exec(exec, graph);
	} else if (*exec && draw(8) == 0) {
		wait_for_all();
		SAY(cuGraphExecDestroy, *exec);
		*exec = NULL;
	} else if (*exec && draw(3) == 0) {
		wait_for_all();
		change_exec(*exec, graph);
	} else if (*exec) {
		if (draw(4) == 0)
			SAY(cuGraphUpload, *exec, stream);
		SAY(cuGraphLaunch, *exec, stream);
	}
}

/* Capture some work of two streams, in each mode, with calls that are refused meanwhile. */
void use_capture(void)
{
	CUgraph *graph = &world.graphs[draw(N_GRAPHS)];
	CUstream stream = NULL, branch = NULL;
	CUevent event = NULL;
	CUfunction fill = fill_kernel();
	unsigned tag = 4, count = 16;
	CUdeviceptr memory = lasting_memory();
	void *pointers[] = {&tag, &memory, &count};

	if (*graph)
		return;
	SAY(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
	SAY(cuStreamCreate, &branch, CU_STREAM_NON_BLOCKING);
	SAY(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
	SAY(cuStreamBeginCapture, stream, draw(3));
	SAY(cuLaunchKernel, fill, 1, 1, 1, 16, 1, 1, 0, stream, pointers, NULL);
	if (draw(3) == 0)
		SAY(cuMemAllocAsync, &memory, PIECE, stream);
	SAY(cuEventRecord, event, stream);
	SAY(cuStreamWaitEvent, branch, event, 0);
	SAY(cuMemsetD8Async, memory, 3, 16, branch);
	SAY(cuLaunchHostFunc, stream, on_host, NULL);
	if (draw(4) == 0)
		SAY(cuStreamSynchronize, stream); /* the capture is invalid then */
	SAY(cuEventRecord, event, branch);
	if (draw(4))
		SAY(cuStreamWaitEvent, stream, event, 0);
	if (SAY(cuStreamEndCapture, stream, graph))
		*graph = NULL;
	SAY(cuEventDestroy, event);
	SAY(cuStreamDestroy, branch);
	SAY(cuStreamDestroy, stream);
}

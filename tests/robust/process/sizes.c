/*
 * sizes.c - a host of several versions of CUDA at once. It asks for calls by the version of the
 * headers that it would be built with, and gives each call a structure of exactly that size. An
 * inaccessible page follows each structure, so that neither the driver nor culprit can read
 * further.
 */
#include <assert.h>
#include <cudaTypedefs.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

static CUstream stream;

/* Return memory that ends at an inaccessible page. */
static void *at_end(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *start =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	NEED_TRUE(start != MAP_FAILED && mprotect(start + page, page, PROT_NONE) == 0);
	return start + page - size;
}

static void *copy_at_end(const void *structure, size_t size)
{
	return memcpy(at_end(size), structure, size);
}

/* Find the call as headers of that version name it. */
static void find(const char *name, int version, void *out)
{
	CUdriverProcAddressQueryResult status;

	NEED(cuGetProcAddress(name, out, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
}

#define CALL_OF(name, version)                    \
	PFN_##name##_v##version name##_##version; \
	find(#name, version, &name##_##version)

static CUgraph capture(void)
{
	CUgraph graph;

	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(host_fill(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	return graph;
}

static CUgraphNode only_node(CUgraph graph)
{
	CUgraphNode node;
	size_t n = 1;

	NEED(cuGraphGetNodes(graph, &node, &n));
	NEED_TRUE(n == 1);
	return node;
}

/* Add nodes in sequence, each with the structure of another version. */
static CUgraph add_nodes(const CUDA_KERNEL_NODE_PARAMS_v1 *v1, const CUDA_KERNEL_NODE_PARAMS_v2 *v2)
{
	CUgraphNodeParams *any = at_end(sizeof(*any));
	CUgraphNode nodes[4];
	CUgraph graph;
	CALL_OF(cuGraphAddKernelNode, 10000);
	CALL_OF(cuGraphAddKernelNode, 12000);
	CALL_OF(cuGraphAddNode, 12020);
	CALL_OF(cuGraphAddNode, 12030);

	memset(any, 0, sizeof(*any));
	any->type = CU_GRAPH_NODE_TYPE_KERNEL;
	memcpy(&any->kernel, v2, sizeof(*v2));
	NEED(cuGraphCreate(&graph, 0));
	NEED(cuGraphAddKernelNode_10000(&nodes[0], graph, NULL, 0, v1));
	NEED(cuGraphAddKernelNode_12000(&nodes[1], graph, &nodes[0], 1, v2));
	NEED(cuGraphAddNode_12020(&nodes[2], graph, &nodes[1], 1, any));
	NEED(cuGraphAddNode_12030(&nodes[3], graph, &nodes[2], NULL, 1, any));
	return graph;
}

static void change(CUgraph graph, const CUDA_KERNEL_NODE_PARAMS_v1 *v1,
		   const CUDA_KERNEL_NODE_PARAMS_v2 *v2)
{
	CUgraphExecUpdateResultInfo *info = at_end(sizeof(*info));
	CUgraphExecUpdateResult *result = at_end(sizeof(*result));
	CUgraphNode node = only_node(graph), *error_node = at_end(sizeof(*error_node));
	CUgraphExec executable;
	CALL_OF(cuGraphKernelNodeSetParams, 10000);
	CALL_OF(cuGraphKernelNodeSetParams, 12000);
	CALL_OF(cuGraphExecKernelNodeSetParams, 10010);
	CALL_OF(cuGraphExecKernelNodeSetParams, 12000);
	CALL_OF(cuGraphExecUpdate, 10020);
	CALL_OF(cuGraphExecUpdate, 12000);

	NEED(cuGraphKernelNodeSetParams_10000(node, v1));
	NEED(cuGraphKernelNodeSetParams_12000(node, v2));
	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	NEED(cuGraphExecKernelNodeSetParams_10010(executable, node, v1));
	NEED(cuGraphExecKernelNodeSetParams_12000(executable, node, v2));
	say("cuGraphExecUpdate", cuGraphExecUpdate_10020(executable, graph, error_node, result));
	say("cuGraphExecUpdate", cuGraphExecUpdate_12000(executable, graph, info));
	NEED(cuGraphLaunch(executable, stream));
	NEED(cuGraphExecDestroy(executable));
}

static void launch(const CUDA_KERNEL_NODE_PARAMS_v2 *from)
{
	CUlaunchConfig *config = at_end(sizeof(*config));
	CALL_OF(cuLaunchKernelEx, 11060);

	*config = (CUlaunchConfig){from->gridDimX,   from->gridDimY,  from->gridDimZ,
				   from->blockDimX,  from->blockDimY, from->blockDimZ,
				   .hStream = stream};
	NEED(cuLaunchKernelEx_11060(config, from->func, from->kernelParams, NULL));
}

int structure_sizes(void)
{
	CUDA_KERNEL_NODE_PARAMS_v1 *v1 = at_end(sizeof(*v1));
	CUDA_KERNEL_NODE_PARAMS_v2 *v2 = at_end(sizeof(*v2));
	unsigned tag = 1, n = 32;
	CUdeviceptr data;
	void *parameters[] = {&tag, &data, &n};
	CUgraphExec executable;
	CUgraph graph;
	CALL_OF(cuGraphKernelNodeGetParams, 10000);
	CALL_OF(cuGraphKernelNodeGetParams, 12000);

	static_assert(sizeof(*v1) < sizeof(*v2), "it grew");
	host_open();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	graph = capture();
	NEED(cuGraphKernelNodeGetParams_10000(only_node(graph), v1));
	NEED(cuGraphKernelNodeGetParams_12000(only_node(graph), v2));
	NEED_TRUE(v1->func == v2->func && v1->gridDimX == v2->gridDimX);
	/* The arguments that the node returned become invalid when the node is changed. */
	NEED(cuMemAlloc(&data, 4096));
	v1->kernelParams = v2->kernelParams = parameters;
	change(graph, v1, v2);
	launch(copy_at_end(v2, sizeof(*v2)));
	NEED(cuGraphInstantiateWithFlags(&executable, add_nodes(v1, v2), 0));
	NEED(cuGraphLaunch(executable, stream));
	NEED(cuCtxSynchronize());
	return host_fail();
}

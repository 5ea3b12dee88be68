/*
 * test_graphs.c - explicitly built graphs, their launches and updates.
 */
#include "test.h"

static CUstream make_stream(void)
{
	CUstream stream = NULL;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return stream;
}

static CUevent make_event(void)
{
	CUevent event = NULL;
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	return event;
}

static CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec exec = NULL;
	OK(cuGraphInstantiate(&exec, graph, 0));
	return exec;
}

static void run(CUgraphExec exec, CUstream stream)
{
	OK(cuGraphLaunch(exec, stream));
	OK(cuStreamSynchronize(stream));
}

static CUDA_KERNEL_NODE_PARAMS append_params(void **params)
{
	return (CUDA_KERNEL_NODE_PARAMS){.func = test_function("append"),
					 .gridDimX = 1,
					 .gridDimY = 1,
					 .gridDimZ = 1,
					 .blockDimX = 1,
					 .blockDimY = 1,
					 .blockDimZ = 1,
					 .kernelParams = params};
}

static CUgraphNode add_append(CUgraph graph, CUgraphNode after, int *list, int value)
{
	void *params[] = {&list, &value};
	CUDA_KERNEL_NODE_PARAMS node_params = append_params(params);
	CUgraphNode node = NULL;
	OK(cuGraphAddKernelNode(&node, graph, &after, after != NULL, &node_params));
	return node;
}

static void CUDA_CB add_hundred(void *argument)
{
	int *list = argument;
	list[++list[0]] = 100;
}

/*
 * One node of each kind, in a chain whose order the list shows. The second word is copied to the
 * third after a memset of the first.
 */
static void all_kinds_of_nodes(void)
{
	CUDA_MEMSET_NODE_PARAMS set = {.value = 9, .elementSize = 4, .width = 1, .height = 1};
	CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
			      .dstMemoryType = CU_MEMORYTYPE_HOST,
			      .WidthInBytes = 4,
			      .Height = 1,
			      .Depth = 1};
	CUDA_HOST_NODE_PARAMS host = {.fn = add_hundred};
	CUgraph graph = NULL;
	CUgraph child = NULL;
	CUgraphNode node = NULL;
	CUgraphNode next = NULL;
	CUcontext context = NULL;
	int *list = NULL;
	int result = 0;
	test_start();
	CUstream stream = make_stream();
	CUevent event = make_event();
	OK(cuCtxGetCurrent(&context));
	list = test_pinned(16);
	OK(cuMemAlloc(&set.dst, 4));
	copy.srcDevice = set.dst;
	copy.dstHost = &result;
	host.userData = list;
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphCreate(&child, 0));
	add_append(child, NULL, list, 50);
	node = add_append(graph, NULL, list, 1);
	OK(cuGraphAddMemsetNode(&next, graph, &node, 1, &set, context));
	OK(cuGraphAddMemcpyNode(&node, graph, &next, 1, &copy, context));
	OK(cuGraphAddHostNode(&next, graph, &node, 1, &host));
	OK(cuGraphAddChildGraphNode(&node, graph, &next, 1, child));
	OK(cuGraphAddEventRecordNode(&next, graph, &node, 1, event));
	OK(cuGraphAddEmptyNode(&node, graph, &next, 1));
	add_append(graph, node, list, 2);
	OK(cuGraphDestroy(child));
	run(instantiate(graph), stream);
	OK(cuEventQuery(event));
	CHECK_EQUAL(result, 9);
	CHECK_EQUAL(list[0], 4);
	CHECK_EQUAL(list[1], 1);
	CHECK_EQUAL(list[2], 100);
	CHECK_EQUAL(list[3], 50);
	CHECK_EQUAL(list[4], 2);
}

static void updates(void)
{
	CUgraph graph = NULL;
	CUgraph other = NULL;
	CUgraphNode node = NULL;
	CUgraphNode found = NULL;
	int *list = NULL;
	int value = 5;
	void *params[] = {&list, &value};
	CUDA_KERNEL_NODE_PARAMS changed;
	CUDA_KERNEL_NODE_PARAMS read = {0};
	unsigned is_enabled = 1;
	test_start();
	CUstream stream = make_stream();
	list = test_pinned(16);
	changed = append_params(params);
	OK(cuGraphCreate(&graph, 0));
	node = add_append(graph, NULL, list, 1);
	OK(cuGraphKernelNodeGetParams(node, &read));
	CHECK(read.func == changed.func);
	CHECK_EQUAL(*(int *)read.kernelParams[1], 1);
	CUgraphExec exec = instantiate(graph);
	OK(cuGraphExecKernelNodeSetParams(exec, node, &changed));
	run(exec, stream);
	CHECK_EQUAL(list[1], 5);
	OK(cuGraphClone(&other, graph));
	OK(cuGraphNodeFindInClone(&found, node, other));
	value = 6;
	OK(cuGraphKernelNodeSetParams(found, &changed));
	CUgraphExecUpdateResultInfo info;
	OK(cuGraphExecUpdate(exec, other, &info));
	CHECK_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	run(exec, stream);
	CHECK_EQUAL(list[2], 6);
	OK(cuGraphNodeSetEnabled(exec, node, 0));
	OK(cuGraphNodeGetEnabled(exec, node, &is_enabled));
	CHECK_EQUAL(is_enabled, 0);
	run(exec, stream);
	CHECK_EQUAL(list[0], 2);
	add_append(other, found, list, 7);
	CHECK_EQUAL(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
	CHECK_EQUAL(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

/* A graph cannot be launched into a capture. */
static void captured_launch(void)
{
	CUgraph graph = NULL;
	CUgraph outer = NULL;
	test_start();
	CUstream stream = make_stream();
	OK(cuGraphCreate(&graph, 0));
	add_append(graph, NULL, test_pinned(16), 1);
	CUgraphExec exec = instantiate(graph);
	OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	CHECK_EQUAL(cuGraphLaunch(exec, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
	CHECK_EQUAL(cuStreamEndCapture(stream, &outer), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

static void cycles_are_refused(void)
{
	CUgraph graph = NULL;
	CUgraphExec exec = NULL;
	test_start();
	int *list = test_pinned(4);
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode first = add_append(graph, NULL, list, 1);
	CUgraphNode second = add_append(graph, first, list, 2);
	OK(cuGraphAddDependencies(graph, &second, &first, NULL, 1));
	CHECK_EQUAL(cuGraphInstantiate(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
	OK(cuGraphRemoveDependencies(graph, &second, &first, NULL, 1));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphDestroyNode(first));
	CHECK_EQUAL(cuGraphDestroyNode(first), CUDA_ERROR_INVALID_VALUE);
}

static const CUgraphEdgeData programmatic = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
					     .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};

/* An edge with data is listed, copied and removed with its data only. */
static void edges_with_data(void)
{
	CUgraph graph = NULL;
	CUgraph clone = NULL;
	CUgraphNode from[2];
	CUgraphNode to[2];
	CUgraphEdgeData data[2];
	size_t n = 2;
	test_start();
	int *list = test_pinned(4);
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode first = add_append(graph, NULL, list, 1);
	CUgraphNode second = add_append(graph, NULL, list, 2);
	OK(cuGraphAddDependencies(graph, &first, &second, &programmatic, 1));
	CHECK_EQUAL(cuGraphAddDependencies(graph, &first, &second, NULL, 1),
		    CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuGraphNodeGetDependencies(second, from, NULL, &n), CUDA_ERROR_LOSSY_QUERY);
	CHECK_EQUAL(cuGraphNodeGetDependentNodes(first, to, NULL, &n), CUDA_ERROR_LOSSY_QUERY);
	CHECK_EQUAL(cuGraphRemoveDependencies(graph, &first, &second, NULL, 1),
		    CUDA_ERROR_INVALID_VALUE);
	OK(cuGraphClone(&clone, graph));
	OK(cuGraphGetEdges(clone, from, to, data, &n));
	CHECK_EQUAL(n, 1);
	CHECK_EQUAL(data[0].from_port, CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC);
	OK(cuGraphRemoveDependencies(clone, from, to, data, 1));
	OK(cuGraphAddDependencies(clone, from, to, NULL, 1));
	n = 2;
	OK(cuGraphNodeGetDependencies(to[0], from, NULL, &n));
	CHECK_EQUAL(n, 1);
}

/* With a seed, the second kernel sometimes runs first, but not before the root. */
static void programmatic_nodes(void)
{
	CUgraph graph = NULL;
	int n_early = 0;
	test_start();
	CUstream stream = make_stream();
	int *list = test_pinned(4);
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode root = add_append(graph, NULL, list, 1);
	CUgraphNode first = add_append(graph, root, list, 2);
	CUgraphNode second = add_append(graph, NULL, list, 3);
	OK(cuGraphAddDependencies(graph, &first, &second, &programmatic, 1));
	CUgraphExec exec = instantiate(graph);
	for (int i = 0; i < 100; i++) {
		list[0] = 0;
		run(exec, stream);
		CHECK_EQUAL(list[1], 1);
		n_early += list[2] == 3;
	}
	CHECK_EQUAL(n_early > 0 && n_early < 100, getenv("SIMCUDA_SEED") != NULL);
}

/* A programmatic edge is between kernels only, and starts at a port of its own. */
static void edges_with_wrong_data(void)
{
	CUgraphEdgeData portless = {.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
	CUgraph graph = NULL;
	CUgraphNode empty = NULL;
	test_start();
	int *list = test_pinned(4);
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode first = add_append(graph, NULL, list, 1);
	CUgraphNode second = add_append(graph, NULL, list, 2);
	OK(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
	CHECK_EQUAL(cuGraphAddDependencies(graph, &empty, &first, &programmatic, 1),
		    CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(cuGraphAddDependencies(graph, &first, &second, &portless, 1),
		    CUDA_ERROR_INVALID_VALUE);
}

/* Each of a hundred independent nodes runs once, whatever order the seed gives. */
static void independent_nodes(void)
{
	enum { N = 100 };
	CUgraph graph = NULL;
	int *list = NULL;
	int is_in_order = 1;
	char seen[N + 1] = {0};
	test_start();
	CUstream stream = make_stream();
	list = test_pinned(N + 1);
	OK(cuGraphCreate(&graph, 0));
	for (int i = 1; i <= N; i++)
		add_append(graph, NULL, list, i);
	run(instantiate(graph), stream);
	CHECK_EQUAL(list[0], N);
	for (int i = 1; i <= N; i++) {
		CHECK(list[i] >= 1 && list[i] <= N && !seen[list[i]]);
		seen[list[i]] = 1;
		is_in_order = is_in_order && list[i] == i;
	}
	CHECK_EQUAL(is_in_order, getenv("SIMCUDA_SEED") == NULL);
}

/* Add a conditional node whose body is one kernel that appends `value`. */
static void add_if(CUgraph graph, CUgraphNode after, unsigned condition, int *list, int value)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
	CUgraphNode node = NULL;
	params.conditional.type = CU_GRAPH_COND_TYPE_IF;
	params.conditional.size = 1;
	OK(cuGraphConditionalHandleCreate(&params.conditional.handle, graph, NULL, condition,
					  CU_GRAPH_COND_ASSIGN_DEFAULT));
	OK(cuGraphAddNode(&node, graph, &after, NULL, 1, &params));
	add_append(params.conditional.phGraph_out[0], NULL, list, value);
	CHECK_EQUAL(cuGraphDestroy(params.conditional.phGraph_out[0]), CUDA_ERROR_INVALID_VALUE);
}

static void conditional_bodies(void)
{
	CUgraph graph = NULL;
	test_start();
	CUstream stream = make_stream();
	int *list = test_pinned(8);
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode first = add_append(graph, NULL, list, 1);
	add_if(graph, first, 1, list, 2);
	add_if(graph, first, 0, list, 3);
	run(instantiate(graph), stream);
	CHECK_EQUAL(list[0], 2);
	CHECK_EQUAL(list[1], 1);
	CHECK_EQUAL(list[2], 2);
}

static const struct test_case cases[] = {
	{"all_kinds_of_nodes", all_kinds_of_nodes, {NULL}},
	{"updates", updates, {NULL}},
	{"captured_launch", captured_launch, {NULL}},
	{"conditional_bodies", conditional_bodies, {NULL}},
	{"cycles_are_refused", cycles_are_refused, {NULL}},
	{"edges_with_data", edges_with_data, {NULL}},
	{"edges_with_wrong_data", edges_with_wrong_data, {NULL}},
	{"programmatic_nodes", programmatic_nodes, {NULL}},
	{"programmatic_nodes_with_seed", programmatic_nodes, {"SIMCUDA_SEED=1"}},
	{"independent_nodes", independent_nodes, {NULL}},
	{"independent_nodes_with_seed", independent_nodes, {"SIMCUDA_SEED=1"}},
};

TEST_MAIN(cases)

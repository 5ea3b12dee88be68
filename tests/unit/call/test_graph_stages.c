/*
 * test_graph_stages.c - what each call that builds, copies, changes, launches or destroys graphs
 * makes the recorder do: all of it is compared.
 */
#include "call/call_parts.h"

#include "base/journal_format.h"
#include "call/graph_trace.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

static CUgraphExec const exec = (CUgraphExec)(uintptr_t)EXEC;
static CUgraph const graph = (CUgraph)(uintptr_t)GRAPH;
static CUgraphNode node = (CUgraphNode)(uintptr_t)NODE;

static void add_nodes(CUresult result)
{
	CUgraph body = (CUgraph)(uintptr_t)OTHER;
	struct graph_node_params params = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
	params.graph.graph = graph;
	RUN(result, cuGraphAddKernelNode, .phGraphNode = &node);
	RUN(result, cuGraphAddChildGraphNode, .phGraphNode = &node, .childGraph = graph);
	RUN(result, cuGraphAddNode, .phGraphNode = &node, .nodeParams = (void *)&params);
	RUN(result, cuGraphAddNode_v2, .phGraphNode = &node, .nodeParams = (void *)&params);
	params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
	params.conditional.phGraph_out = &body;
	params.conditional.size = 2;
	RUN(result, cuGraphAddNode_v2, .phGraphNode = &node, .nodeParams = (void *)&params);
	params.type = CU_GRAPH_NODE_TYPE_KERNEL;
	RUN(result, cuGraphAddNode_v2, .phGraphNode = &node, .nodeParams = (void *)&params);
}

static void test_added(void)
{
	add_nodes(CUDA_SUCCESS);
	graph_trace.is_own_child = true; /* The driver did not copy the graph. */
	RUN(CUDA_SUCCESS, cuGraphAddChildGraphNode, .phGraphNode = &node, .childGraph = graph);
	graph_trace.is_own_child = graph_trace.has_snapshot =
		false; /* The driver does not know the node's graph. */
	RUN(CUDA_SUCCESS, cuGraphAddChildGraphNode, .phGraphNode = &node, .childGraph = graph);
	graph_trace.has_snapshot = true;
	CHECK_TRACE("cuGraphAddKernelNode:\n"
		    "origin of 30: 60 2 0\n"
		    "cuGraphAddChildGraphNode:\n"
		    "origin of 30: 60 2 0\n"
		    "copy origins of 20 to 40\n"
		    "cuGraphAddNode:\n"
		    "origin of 30: 60 2 0\n"
		    "copy origins of 20 to 40\n"
		    "cuGraphAddNode_v2:\n"
		    "origin of 30: 60 2 0\n"
		    "copy origins of 20 to 40\n"
		    "cuGraphAddNode_v2:\n"
		    "origin of 30: 60 2 0\n"
		    "2 bodies of 30, the first is 50\n"
		    "cuGraphAddNode_v2:\n"
		    "origin of 30: 60 2 0\n"
		    "cuGraphAddChildGraphNode:\n"
		    "origin of 30: 60 2 0\n"
		    "cuGraphAddChildGraphNode:\n"
		    "origin of 30: 60 2 0\n");
	add_nodes(CUDA_ERROR_INVALID_VALUE);
	graph_trace.has_failed = true;
	add_nodes(CUDA_SUCCESS);
	graph_trace.has_failed = false;
	CHECK(!strstr(trace_take(), "ori"));
}

static void test_kernels(void)
{
	const CUDA_KERNEL_NODE_PARAMS_v1 old = {.func = (CUfunction)1,
						.gridDimX = 2,
						.gridDimY = 3,
						.gridDimZ = 4,
						.blockDimX = 5,
						.blockDimY = 6,
						.blockDimZ = 7,
						.sharedMemBytes = 8,
						.kernelParams = (void **)9,
						.extra = (void **)10};
	const CUDA_KERNEL_NODE_PARAMS params = {.func = (CUfunction)11, .gridDimX = 12};
	struct graph_node_params generic = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
	generic.kernel.func = (CUfunction)1;
	generic.kernel.gridDimX = 2;
	generic.kernel.gridDimY = 3;
	generic.kernel.gridDimZ = 4;
	generic.kernel.blockDimX = 5;
	generic.kernel.blockDimY = 6;
	generic.kernel.blockDimZ = 7;
	generic.kernel.sharedMemBytes = 8;
	generic.kernel.kernelParams = (void **)9;
	generic.kernel.extra = (void **)10;
	generic.kernel.kern = (CUkernel)11;
	for (int n = 0; n < 2; n++) {
		RUN(CUDA_SUCCESS, cuGraphExecKernelNodeSetParams, exec, node, &old);
		RUN(CUDA_SUCCESS, cuGraphExecKernelNodeSetParams_v2, exec, node, &params);
		RUN(CUDA_SUCCESS, cuGraphExecNodeSetParams, exec, node, (void *)&generic);
		graph_trace.has_snapshot = false;
	}
	graph_trace.has_snapshot = true;
	CHECK_TRACE("cuGraphExecKernelNodeSetParams:\n"
		    "set 30: 1, 2 3 4, 5 6 7, 8 with 9 a, 0\n"
		    "cuGraphExecKernelNodeSetParams_v2:\n"
		    "set 30: b, 12 0 0, 0 0 0, 0 with 0 0, 0\n"
		    "cuGraphExecNodeSetParams:\n"
		    "set 30: 1, 2 3 4, 5 6 7, 8 with 9 a, b\n"
		    "cuGraphExecKernelNodeSetParams:\n"
		    "cuGraphExecKernelNodeSetParams_v2:\n"
		    "cuGraphExecNodeSetParams:\n");
}

/* Changes that the rows do not show. */
static void test_other_changes(void)
{
	struct graph_node_params generic = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
	for (int n = 0; n < 2; n++) {
		generic.type = CU_GRAPH_NODE_TYPE_GRAPH;
		RUN(CUDA_SUCCESS, cuGraphExecNodeSetParams, exec, node, (void *)&generic);
		generic.type = CU_GRAPH_NODE_TYPE_MEMCPY;
		RUN(CUDA_SUCCESS, cuGraphExecNodeSetParams, exec, node, (void *)&generic);
		RUN(CUDA_SUCCESS, cuGraphExecChildGraphNodeSetParams, exec, node, graph);
		RUN(CUDA_SUCCESS, cuGraphNodeSetEnabled, exec, node, 1);
		RUN(CUDA_SUCCESS, cuGraphNodeSetEnabled, exec, node, 0);
		RUN(CUDA_SUCCESS, cuGraphDestroyNode, node);
		RUN(CUDA_SUCCESS, cuGraphNodeSetParams, node, (void *)&generic);
		RUN(CUDA_SUCCESS, cuGraphEventRecordNodeSetEvent, node, NULL);
		graph_trace.has_snapshot = false;
	}
	graph_trace.has_snapshot = true;
	CHECK_TRACE("cuGraphExecNodeSetParams:\n"
		    "distrust\n"
		    "cuGraphExecNodeSetParams:\n"
		    "cuGraphExecChildGraphNodeSetParams:\n"
		    "distrust\n"
		    "cuGraphNodeSetEnabled:\n"
		    "enable 30\n"
		    "cuGraphNodeSetEnabled:\n"
		    "disable 30\n"
		    "cuGraphDestroyNode:\n"
		    "forget node 30\n"
		    "cuGraphNodeSetParams:\n"
		    "cuGraphEventRecordNodeSetEvent:\n"
		    "cuGraphExecNodeSetParams:\n"
		    "cuGraphExecNodeSetParams:\n"
		    "cuGraphExecChildGraphNodeSetParams:\n"
		    "cuGraphNodeSetEnabled:\n"
		    "cuGraphNodeSetEnabled:\n"
		    "cuGraphDestroyNode:\n"
		    "forget node 30\n"
		    "cuGraphNodeSetParams:\n"
		    "cuGraphEventRecordNodeSetEvent:\n");
}

static void test_copies_and_ends(void)
{
	CUgraph clone = (CUgraph)(uintptr_t)OTHER;
	const struct args_cuGraphExecDestroy exec_args = {.hGraphExec = exec};
	const struct args_cuGraphDestroy graph_args = {.hGraph = graph};
	struct call ends[] = {{.id = CALL_cuGraphExecDestroy, .args = &exec_args},
			      {.id = CALL_cuGraphDestroy, .args = &graph_args}};
	RUN(CUDA_SUCCESS, cuGraphClone, .phGraphClone = &clone, .originalGraph = graph);
	for (int n = 0; n < 2; n++) {
		graph_destroy_before(&ends[0]);
		graph_destroy_before(&ends[1]);
		RUN(CUDA_SUCCESS, cuGraphDestroyNode, node);
		graph_trace.has_failed = true; /* from now on everything is kept */
	}
	graph_trace.has_failed = false;
	CHECK_TRACE("cuGraphClone:\n"
		    "copy origins of 20 to 50\n"
		    "destroyed 10\n"
		    "forget origins of 20\n"
		    "cuGraphDestroyNode:\n"
		    "forget node 30\n"
		    "cuGraphDestroyNode:\n");
}

static void launch(CUresult result, bool is_locked, bool has_row, uint64_t replay)
{
	struct context context = {.handle = (CUcontext)(uintptr_t)OTHER};
	struct stream stream = {.context = &context};
	struct journal_record row = {.graph = {.handle = EXEC, .replay = replay}};
	struct call call = {.id = CALL_cuGraphLaunch,
			    .stream = is_locked ? &stream : NULL,
			    .row = has_row ? &row : NULL};
	graph_launch_after(&call, result);
}

/* The first launch has loaded the kernels. */
static void test_launches(void)
{
	launch(CUDA_SUCCESS, true, true, 1);
	launch(CUDA_SUCCESS, true, true, 2);
	launch(CUDA_SUCCESS, true, false, 1);
	launch(CUDA_SUCCESS, false, true, 1);
	launch(CUDA_ERROR_INVALID_VALUE, true, true, 1);
	graph_trace.has_snapshot = false;
	launch(CUDA_SUCCESS, true, true, 1);
	graph_trace.has_snapshot = true;
	CHECK_TRACE("submission, 0\n"
		    "note the code in 50\n"
		    "submission, 0\n"
		    "submission, 0\n"
		    "submission, 0\n"
		    "submission, 1\n"
		    "submission, 0\n");
}

int main(void)
{
	test_added();
	test_kernels();
	test_other_changes();
	test_copies_and_ends();
	test_launches();
	return 0;
}

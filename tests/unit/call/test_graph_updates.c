/*
 * test_graph_updates.c - what each call that instantiates or updates graphs makes the recorder do.
 */
#include "call/call_parts.h"

#include "call/graph_trace.h"
#include "support/check.h"

static CUgraphExec const exec = (CUgraphExec)(uintptr_t)EXEC;
static CUgraph const graph = (CUgraph)(uintptr_t)GRAPH;

static void update_both(CUresult result)
{
	CUgraphExecUpdateResultInfo info = {.errorNode = (CUgraphNode)1,
					    .errorFromNode = (CUgraphNode)2};
	CUgraphNode error_node = (CUgraphNode)3;
	RUN(result, cuGraphExecUpdate, exec, graph, &error_node, NULL);
	RUN(result, cuGraphExecUpdate_v2, exec, graph, &info);
}

static void test_updates(void)
{
	graph_trace.is_marked = true;
	graph_trace.n_markers = graph_trace.n_marked = 2;
	update_both(CUDA_SUCCESS);
	update_both(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
	graph_trace.has_failed = true;
	update_both(CUDA_SUCCESS);
	graph_trace.has_failed = false;
	CHECK_TRACE("cuGraphExecUpdate:\n"
		    "before an update of 10 from 20\n"
		    "hide 3 of 10\n"
		    "after an update of 10\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 2 of 2\n"
		    "cuGraphExecUpdate_v2:\n"
		    "before an update of 10 from 20\n"
		    "hide 1 of 10\n"
		    "hide 2 of 10\n"
		    "after an update of 10\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 2 of 2\n"
		    "cuGraphExecUpdate:\n"
		    "before an update of 10 from 20\n"
		    "hide 3 of 10\n"
		    "after an update of 10\n"
		    "distrust\n"
		    "cuGraphExecUpdate_v2:\n"
		    "before an update of 10 from 20\n"
		    "hide 1 of 10\n"
		    "hide 2 of 10\n"
		    "after an update of 10\n"
		    "distrust\n"
		    "cuGraphExecUpdate:\n"
		    "hide 3 of 10\n"
		    "after an update of 10\n"
		    "cuGraphExecUpdate_v2:\n"
		    "hide 1 of 10\n"
		    "hide 2 of 10\n"
		    "after an update of 10\n");
}

/* The markers of an update that are not those of the graph are not used. */
static void test_updated_markers(void)
{
	graph_trace.n_marked = 3;
	RUN(CUDA_SUCCESS, cuGraphExecUpdate, exec, graph, NULL, NULL);
	graph_trace.n_markers = graph_trace.n_marked = 0;
	RUN(CUDA_SUCCESS, cuGraphExecUpdate_v2, exec, graph, NULL);
	graph_trace.is_marked = false;
	RUN(CUDA_SUCCESS, cuGraphExecUpdate_v2, exec, graph, NULL);
	CHECK_TRACE("cuGraphExecUpdate:\n"
		    "before an update of 10 from 20\n"
		    "after an update of 10\n"
		    "made 10 of 20, stack 60\n"
		    "cuGraphExecUpdate_v2:\n"
		    "before an update of 10 from 20\n"
		    "after an update of 10\n"
		    "made 10 of 20, stack 60\n"
		    "cuGraphExecUpdate_v2:\n"
		    "before an update of 10 from 20\n"
		    "after an update of 10\n"
		    "made 10 of 20, stack 60\n");
}

static void instantiate(enum driver_call id, const void *args)
{
	struct call call = graph_trace_call(id, args);
	graph_instantiated(&call);
}

#define INSTANTIATE(name, ...) \
	instantiate(CALL_##name, &(const struct args_##name){.phGraphExec = &made, __VA_ARGS__})

static void test_instantiated(void)
{
	CUgraphExec made = exec;
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = 6};
	for (graph_trace.n_new_markers = 0; graph_trace.n_new_markers < 2;
	     graph_trace.n_new_markers++) {
		INSTANTIATE(cuGraphInstantiate, .hGraph = graph);
		INSTANTIATE(cuGraphInstantiate_v2, .hGraph = graph);
		INSTANTIATE(cuGraphInstantiateWithFlags, .hGraph = graph, .flags = 5);
		INSTANTIATE(cuGraphInstantiateWithParams, .hGraph = graph,
			    .instantiateParams = &params);
		instantiate(CALL_cuStreamBeginCapture_v2, NULL);
	}
	graph_trace.has_failed = true;
	INSTANTIATE(cuGraphInstantiate, .hGraph = graph);
	graph_trace.has_failed = false;
	CHECK_TRACE("cuGraphInstantiate:\n"
		    "mark 10 of 20, flags 0\n"
		    "made 10 of 20, stack 60\n"
		    "cuGraphInstantiate_v2:\n"
		    "mark 10 of 20, flags 0\n"
		    "made 10 of 20, stack 60\n"
		    "cuGraphInstantiateWithFlags:\n"
		    "mark 10 of 20, flags 5\n"
		    "made 10 of 20, stack 60\n"
		    "cuGraphInstantiateWithParams:\n"
		    "mark 10 of 20, flags 6\n"
		    "made 10 of 20, stack 60\n"
		    "cuStreamBeginCapture_v2:\n"
		    "cuGraphInstantiate:\n"
		    "mark 10 of 20, flags 0\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 1 of 1\n"
		    "cuGraphInstantiate_v2:\n"
		    "mark 10 of 20, flags 0\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 1 of 1\n"
		    "cuGraphInstantiateWithFlags:\n"
		    "mark 10 of 20, flags 5\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 1 of 1\n"
		    "cuGraphInstantiateWithParams:\n"
		    "mark 10 of 20, flags 6\n"
		    "made 10 of 20, stack 60\n"
		    "marked 10, 1 of 1\n"
		    "cuStreamBeginCapture_v2:\n"
		    "cuGraphInstantiate:\n");
}

int main(void)
{
	test_updates();
	test_updated_markers();
	test_instantiated();
	return 0;
}

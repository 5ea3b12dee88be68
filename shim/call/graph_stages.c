/*
 * graph_stages.c - what calls on graphs mean to the journal: which node they made, and whose stack
 * is behind it; which executable graph has which nodes. Launches are submissions like others.
 *
 * From the failure on nothing is written: the verdict speaks of the graphs as they were then.
 */
#include "graph_stages.h"

#include "driver.h"
#include "failure.h"
#include "graph_marking.h"
#include "graph_origins.h"
#include "graph_snapshot.h"
#include "graph_walk.h"
#include "graphs.h"
#include "stack.h"

#define ARGUMENTS(call, name) ((const struct args_##name *)(call)->args)

static enum driver_call family_of(const struct call *call)
{
	return driver_calls[call->id].family;
}

void graph_before(struct call *call)
{
	if (failure_has_happened())
		return;
	switch (family_of(call)) {
	case CALL_cuGraphDestroyNode:
		graph_origins_forget_node(ARGUMENTS(call, cuGraphDestroyNode)->hNode);
		break;
	case CALL_cuGraphExecUpdate:
		graph_marking_before_update(ARGUMENTS(call, cuGraphExecUpdate)->hGraphExec,
					    ARGUMENTS(call, cuGraphExecUpdate)->hGraph);
		break;
	case CALL_cuGraphExecUpdate_v2:
		graph_marking_before_update(ARGUMENTS(call, cuGraphExecUpdate_v2)->hGraphExec,
					    ARGUMENTS(call, cuGraphExecUpdate_v2)->hGraph);
		break;
	default:
		break;
	}
}

/* The nodes of the graph that the new node holds came from where this graph's came from. */
static void child_added(CUgraphNode node, CUgraph graph)
{
	CUgraph child = NULL;
	if (real.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS && child != graph)
		graph_origins_copy(graph, child);
}

static void generic_node_added(CUgraphNode node, const CUgraphNodeParams *params)
{
	if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
		child_added(node, params->graph.graph);
	else if (params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		graph_walk_bodies(node, params->conditional.phGraph_out, params->conditional.size);
}

/* Of all calls that add a node the first argument is where its handle goes. */
static CUgraphNode added_node(const struct call *call)
{
	return **(CUgraphNode *const *)call->args;
}

static void node_added(struct call *call)
{
	CUgraphNode node = added_node(call);
	struct graph_origin origin = {.stack = stack_capture(call->thread, call->frame),
				      .source = GRAPH_NODE_ADDED};
	graph_origins_set(node, origin);
	switch (family_of(call)) {
	case CALL_cuGraphAddChildGraphNode:
		child_added(node, ARGUMENTS(call, cuGraphAddChildGraphNode)->childGraph);
		break;
	case CALL_cuGraphAddNode:
		generic_node_added(node, ARGUMENTS(call, cuGraphAddNode)->nodeParams);
		break;
	case CALL_cuGraphAddNode_v2:
		generic_node_added(node, ARGUMENTS(call, cuGraphAddNode_v2)->nodeParams);
		break;
	default:
		break;
	}
}

static void kernel_set(struct call *call, CUgraphExec exec, CUgraphNode node,
		       const CUDA_KERNEL_NODE_PARAMS *params)
{
	struct graph_snapshot *snapshot = graphs_snapshot(exec);
	if (snapshot)
		graph_snapshot_set_kernel(call->thread, snapshot, node, params);
}

static void kernel_set_v1(struct call *call)
{
	const struct args_cuGraphExecKernelNodeSetParams *args = call->args;
	CUDA_KERNEL_NODE_PARAMS params = {.func = args->nodeParams->func,
					  .gridDimX = args->nodeParams->gridDimX,
					  .gridDimY = args->nodeParams->gridDimY,
					  .gridDimZ = args->nodeParams->gridDimZ,
					  .blockDimX = args->nodeParams->blockDimX,
					  .blockDimY = args->nodeParams->blockDimY,
					  .blockDimZ = args->nodeParams->blockDimZ,
					  .sharedMemBytes = args->nodeParams->sharedMemBytes,
					  .kernelParams = args->nodeParams->kernelParams,
					  .extra = args->nodeParams->extra};
	kernel_set(call, args->hGraphExec, args->hNode, &params);
}

static void kernel_set_v2(struct call *call)
{
	const struct args_cuGraphExecKernelNodeSetParams_v2 *args = call->args;
	kernel_set(call, args->hGraphExec, args->hNode, args->nodeParams);
}

/* The generic structure has the members of the kernel's own in another type. */
static void generic_kernel_set(struct call *call, CUgraphExec exec, CUgraphNode node,
			       const CUDA_KERNEL_NODE_PARAMS_v3 *from)
{
	CUDA_KERNEL_NODE_PARAMS params = {.func = from->func,
					  .gridDimX = from->gridDimX,
					  .gridDimY = from->gridDimY,
					  .gridDimZ = from->gridDimZ,
					  .blockDimX = from->blockDimX,
					  .blockDimY = from->blockDimY,
					  .blockDimZ = from->blockDimZ,
					  .sharedMemBytes = from->sharedMemBytes,
					  .kernelParams = from->kernelParams,
					  .extra = from->extra,
					  .kern = from->kern};
	kernel_set(call, exec, node, &params);
}

static void distrust(CUgraphExec exec)
{
	const struct graph_snapshot *snapshot = graphs_snapshot(exec);
	if (snapshot)
		graph_snapshot_distrust(snapshot);
}

/* Nodes of other kinds stay what they were, as far as the journal knows them. */
static void generic_set(struct call *call)
{
	const struct args_cuGraphExecNodeSetParams *args = call->args;
	if (args->nodeParams->type == CU_GRAPH_NODE_TYPE_KERNEL)
		generic_kernel_set(call, args->hGraphExec, args->hNode, &args->nodeParams->kernel);
	else if (args->nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH)
		distrust(args->hGraphExec);
}

static void enabled_set(const struct call *call)
{
	const struct args_cuGraphNodeSetEnabled *args = call->args;
	struct graph_snapshot *snapshot = graphs_snapshot(args->hGraphExec);
	if (snapshot)
		graph_snapshot_set_enabled(snapshot, args->hNode, args->isEnabled);
}

static void made(struct call *call, CUgraphExec exec, CUgraph graph)
{
	graphs_made(call->thread, exec, graph, stack_capture(call->thread, call->frame));
}

/* Nothing says that an update which fails on its way leaves all nodes as they were. */
static void updated(struct call *call, CUgraphExec exec, CUgraph graph, CUresult result)
{
	const struct graph_marking *marking = graphs_update_marking(exec);
	struct graph_word word = graphs_word(exec);
	graph_marking_after_update(exec);
	if (failure_has_happened())
		return;
	if (result != CUDA_SUCCESS) {
		distrust(exec);
		return;
	}
	made(call, exec, graph);
	if (marking && marking->n_markers && marking->n_markers == word.n_markers)
		graphs_marked(exec, &word, marking);
}

static void updated_v1(struct call *call, CUresult result)
{
	const struct args_cuGraphExecUpdate *args = call->args;
	if (args->hErrorNode_out)
		graph_marking_hide_node(args->hGraphExec, args->hErrorNode_out);
	updated(call, args->hGraphExec, args->hGraph, result);
}

static void updated_v2(struct call *call, CUresult result)
{
	const struct args_cuGraphExecUpdate_v2 *args = call->args;
	if (args->resultInfo) {
		graph_marking_hide_node(args->hGraphExec, &args->resultInfo->errorNode);
		graph_marking_hide_node(args->hGraphExec, &args->resultInfo->errorFromNode);
	}
	updated(call, args->hGraphExec, args->hGraph, result);
}

static void follow(struct call *call)
{
	switch (family_of(call)) {
	case CALL_cuGraphClone:
		graph_origins_copy(ARGUMENTS(call, cuGraphClone)->originalGraph,
				   *ARGUMENTS(call, cuGraphClone)->phGraphClone);
		break;
	case CALL_cuGraphExecKernelNodeSetParams:
		kernel_set_v1(call);
		break;
	case CALL_cuGraphExecKernelNodeSetParams_v2:
		kernel_set_v2(call);
		break;
	case CALL_cuGraphExecNodeSetParams:
		generic_set(call);
		break;
	case CALL_cuGraphExecChildGraphNodeSetParams:
		distrust(ARGUMENTS(call, cuGraphExecChildGraphNodeSetParams)->hGraphExec);
		break;
	case CALL_cuGraphNodeSetEnabled:
		enabled_set(call);
		break;
	case CALL_cuGraphDestroyNode:
	case CALL_cuGraphNodeSetParams:
	case CALL_cuGraphEventRecordNodeSetEvent:
	case CALL_cuGraphExecEventRecordNodeSetEvent:
	case CALL_cuIpcGetEventHandle:
		break;
	default:
		node_added(call);
		break;
	}
}

void graph_after(struct call *call, CUresult result)
{
	if (family_of(call) == CALL_cuGraphExecUpdate)
		updated_v1(call, result);
	else if (family_of(call) == CALL_cuGraphExecUpdate_v2)
		updated_v2(call, result);
	else if (result == CUDA_SUCCESS && !failure_has_happened())
		follow(call);
}

/* The executable graph is the application's only from here on. */
static void instantiated(struct call *call, CUgraphExec *exec, CUgraph graph,
			 unsigned long long flags)
{
	struct graph_marking marking;
	struct graph_word word;
	graph_marking_instantiated(exec, graph, flags, &word, &marking);
	made(call, *exec, graph);
	if (marking.n_markers)
		graphs_marked(*exec, &word, &marking);
}

void graph_instantiated(struct call *call)
{
#define INSTANTIATED(name, flags)                                      \
	case CALL_##name:                                              \
		instantiated(call, ARGUMENTS(call, name)->phGraphExec, \
			     ARGUMENTS(call, name)->hGraph, flags);    \
		break;
	if (failure_has_happened())
		return;
	switch (family_of(call)) {
		INSTANTIATED(cuGraphInstantiate, 0)
		INSTANTIATED(cuGraphInstantiate_v2, 0)
		INSTANTIATED(cuGraphInstantiateWithFlags,
			     ARGUMENTS(call, cuGraphInstantiateWithFlags)->flags)
		INSTANTIATED(
			cuGraphInstantiateWithParams,
			ARGUMENTS(call, cuGraphInstantiateWithParams)->instantiateParams->flags)
	default:
		break;
	}
#undef INSTANTIATED
}

void graph_destroy_before(struct call *call)
{
	if (failure_has_happened())
		return;
	if (family_of(call) == CALL_cuGraphExecDestroy)
		graphs_destroyed(ARGUMENTS(call, cuGraphExecDestroy)->hGraphExec);
	else
		graph_origins_forget(ARGUMENTS(call, cuGraphDestroy)->hGraph);
}

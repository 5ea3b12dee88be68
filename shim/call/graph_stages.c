/*
 * graph_stages.c - follow the calls that build, instantiate, update and destroy graphs. The journal
 * gets the stack that made each node, and the nodes of each executable graph. Graph launches are
 * ordinary submissions: submission.c.
 *
 * Nothing is written after the failure, because the verdict describes the graphs as they were then.
 */
#include "call/call_parts.h"

#include "call/submission.h"
#include "failure/failure.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_marking.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graph_snapshot.h"
#include "record/graphs/graph_walk.h"
#include "record/graphs/graphs.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "record/thread.h"

void graph_before(struct call *call)
{
	if (failure_has_happened())
		return;
	switch (call_family(call)) {
	case CALL_cuGraphDestroyNode:
		graph_origins_forget_node(CALL_ARGUMENTS(call, cuGraphDestroyNode)->hNode);
		break;
	case CALL_cuGraphExecUpdate:
		graph_marking_before_update(CALL_ARGUMENTS(call, cuGraphExecUpdate)->hGraphExec,
					    CALL_ARGUMENTS(call, cuGraphExecUpdate)->hGraph);
		break;
	case CALL_cuGraphExecUpdate_v2:
		graph_marking_before_update(CALL_ARGUMENTS(call, cuGraphExecUpdate_v2)->hGraphExec,
					    CALL_ARGUMENTS(call, cuGraphExecUpdate_v2)->hGraph);
		break;
	default:
		break;
	}
}

/* Give the nodes of the new child node's graph, which is a copy, the origins of the original's. */
static void child_added(CUgraphNode node, CUgraph graph)
{
	CUgraph child = NULL;
	if (real.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS && child != graph)
		graph_origins_copy(graph, child);
}

static const struct graph_node_params *readable(const CUgraphNodeParams *params)
{
	return (const struct graph_node_params *)params;
}

static void generic_node_added(CUgraphNode node, const struct graph_node_params *params)
{
	if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
		child_added(node, params->graph.graph);
	else if (params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		graph_walk_bodies(node, params->conditional.phGraph_out, params->conditional.size);
}

/* Return the new node. Every call that adds one has the handle's address as first argument. */
static CUgraphNode added_node(const struct call *call)
{
	return **(CUgraphNode *const *)call->args;
}

static void node_added(struct call *call)
{
	CUgraphNode node = added_node(call);
	struct graph_origin origin = {.stack = stack_capture(&call->thread->stacks, call->frame),
				      .source = GRAPH_NODE_ADDED};
	graph_origins_set(node, origin);
	switch (call_family(call)) {
	case CALL_cuGraphAddChildGraphNode:
		child_added(node, CALL_ARGUMENTS(call, cuGraphAddChildGraphNode)->childGraph);
		break;
	case CALL_cuGraphAddNode:
		generic_node_added(node,
				   readable(CALL_ARGUMENTS(call, cuGraphAddNode)->nodeParams));
		break;
	case CALL_cuGraphAddNode_v2:
	case CALL_cuGraphAddNode_v3:
		generic_node_added(node,
				   readable(CALL_ARGUMENTS(call, cuGraphAddNode_v2)->nodeParams));
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
		graph_snapshot_set_kernel(&call->thread->functions, snapshot, node, params);
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

/* Convert the generic structure: it has the same members as the kernel's own, in another type. */
static void generic_kernel_set(struct call *call, CUgraphExec exec, CUgraphNode node,
			       const struct graph_node_params *params_set)
{
	const __typeof__(params_set->kernel) *from = &params_set->kernel;
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

/* Follow a kernel or child graph node; the journal keeps nodes of other kinds as they were. */
static void generic_set(struct call *call)
{
	const struct args_cuGraphExecNodeSetParams *args = call->args;
	const struct graph_node_params *params = readable(args->nodeParams);
	if (params->type == CU_GRAPH_NODE_TYPE_KERNEL)
		generic_kernel_set(call, args->hGraphExec, args->hNode, params);
	else if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
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
	graphs_made(&call->thread->functions, exec, graph,
		    stack_capture(&call->thread->stacks, call->frame));
}

/* Follow an update. A failed update may have changed some of the nodes already. */
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
	switch (call_family(call)) {
	case CALL_cuGraphClone:
		graph_origins_copy(CALL_ARGUMENTS(call, cuGraphClone)->originalGraph,
				   *CALL_ARGUMENTS(call, cuGraphClone)->phGraphClone);
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
		distrust(CALL_ARGUMENTS(call, cuGraphExecChildGraphNodeSetParams)->hGraphExec);
		break;
	case CALL_cuGraphNodeSetEnabled:
		enabled_set(call);
		break;
	case CALL_cuGraphDestroyNode:
	case CALL_cuGraphNodeSetParams:
	case CALL_cuGraphNodeSetParams_v2:
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
	if (call_family(call) == CALL_cuGraphExecUpdate)
		updated_v1(call, result);
	else if (call_family(call) == CALL_cuGraphExecUpdate_v2)
		updated_v2(call, result);
	else if (result == CUDA_SUCCESS && !failure_has_happened())
		follow(call);
}

/* Mark a new executable graph, before the application gets it. */
static void instantiated(struct call *call, CUgraphExec *exec, CUgraph graph,
			 unsigned long long flags)
{
	struct graph_word word;
	struct graph_marking marking;
	graph_marking_instantiated(exec, graph, flags, &word, &marking);
	made(call, *exec, graph);
	if (marking.n_markers)
		graphs_marked(*exec, &word, &marking);
}

void graph_instantiated(struct call *call)
{
#define INSTANTIATED(name, flags)                                           \
	case CALL_##name:                                                   \
		instantiated(call, CALL_ARGUMENTS(call, name)->phGraphExec, \
			     CALL_ARGUMENTS(call, name)->hGraph, flags);    \
		break;
	if (failure_has_happened())
		return;
	switch (call_family(call)) {
		INSTANTIATED(cuGraphInstantiate, 0)
		INSTANTIATED(cuGraphInstantiate_v2, 0)
		INSTANTIATED(cuGraphInstantiateWithFlags,
			     CALL_ARGUMENTS(call, cuGraphInstantiateWithFlags)->flags)
		INSTANTIATED(cuGraphInstantiateWithParams,
			     CALL_ARGUMENTS(call, cuGraphInstantiateWithParams)
				     ->instantiateParams->flags)
	default:
		break;
	}
#undef INSTANTIATED
}

void graph_destroy_before(struct call *call)
{
	if (failure_has_happened())
		return;
	if (call_family(call) == CALL_cuGraphExecDestroy)
		graphs_destroyed(CALL_ARGUMENTS(call, cuGraphExecDestroy)->hGraphExec);
	else
		graph_origins_forget(CALL_ARGUMENTS(call, cuGraphDestroy)->hGraph);
}

/* The graph's first launch has loaded its kernels. While one is captured, it has no stream. */
void graph_launch_after(struct call *call, CUresult result)
{
	const struct journal_record *row = call->row;
	bool is_first = result == CUDA_SUCCESS && call->stream && row && row->graph.replay == 1;
	CUcontext context = is_first ? call->stream->context->handle : NULL;
	CUgraphExec exec = is_first ? (CUgraphExec)(uintptr_t)row->graph.handle : NULL;
	submission_after(call, result);
	const struct graph_snapshot *snapshot = graphs_snapshot(exec);
	if (snapshot)
		graph_snapshot_note_code(snapshot, context);
}

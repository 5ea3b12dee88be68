/*
 * graph_update.c - update executable graphs. Each update makes a new plan, because earlier launches
 * may still use the old one.
 */
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "graph_calls/graph_exec.h"
#include "graph_calls/graph_nodes.h"
#include "graphs/graph.h"
#include "graphs/graph_run.h"
#include "handles.h"
#include "sim.h"
#include "work/work.h"
#include "work/work_run.h"

static void copy_node(struct plan_node *copy, const struct plan_node *node)
{
	size_t size = node->n_dependents * sizeof(*node->dependents);
	*copy = *node;
	copy->work = work_copy(&node->work);
	copy->dependents = sim_alloc(size);
	if (size)
		memcpy(copy->dependents, node->dependents, size);
	if (node->child)
		graph_plan_reference(node->child);
}

/* Replace the plan by a copy that can be changed; earlier launches may use the old one. */
static void renew_plan(CUgraphExec exec)
{
	struct graph_plan *old = exec->plan;
	struct graph_plan *plan = graph_plan_reference(sim_alloc(sizeof(*plan)));
	plan->n_nodes = old->n_nodes;
	plan->nodes = sim_alloc(plan->n_nodes * sizeof(*plan->nodes));
	for (size_t i = 0; i < plan->n_nodes; i++)
		copy_node(&plan->nodes[i], &old->nodes[i]);
	graph_plan_release(old);
	exec->plan = plan;
}

static struct plan_node *find_node(CUgraphExec exec, CUgraphNode origin)
{
	for (size_t i = 0; i < exec->plan->n_nodes; i++)
		if (exec->plan->nodes[i].origin == origin)
			return &exec->plan->nodes[i];
	return NULL;
}

static CUgraphNode find_source(CUgraphExec exec, CUgraphNode origin)
{
	CUgraphNode node = exec->source->nodes;
	while (node->original != origin)
		node = node->next;
	return node;
}

/* Replace a node in both forms of the graph. Takes ownership of work and child. */
static void replace(CUgraphExec exec, CUgraphNode origin, struct work *work, CUgraph child)
{
	struct work copy = work_copy(work);
	renew_plan(exec);
	struct plan_node *node = find_node(exec, origin);
	work_release(&node->work);
	node->work = copy;
	if (child) {
		graph_plan_release(node->child);
		node->child = graph_instantiate(child);
	}
	graph_node_replace(find_source(exec, origin), work, child);
}

static CUresult set(CUgraphExec exec, CUgraphNode origin, CUgraphNodeParams params)
{
	const struct plan_node *node = graph_exec_is_live(exec) ? find_node(exec, origin) : NULL;
	if (!node || node->type != params.type)
		return CUDA_ERROR_INVALID_VALUE;
	struct work work;
	CUgraph child = NULL;
	CUresult result = node_make(&params, &work, &child);
	if (result == CUDA_SUCCESS)
		replace(exec, origin, &work, child);
	return result;
}

CUresult sim_cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
				      CUgraphNodeParams *nodeParams)
{
	return nodeParams ? set(hGraphExec, hNode, *nodeParams) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					    const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	return set(hGraphExec, hNode, node_kernel_params_v1(nodeParams));
}

CUresult sim_cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
					       const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	return set(hGraphExec, hNode, node_kernel_params(nodeParams));
}

CUresult sim_cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					    const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	(void)ctx;
	return set(hGraphExec, hNode, node_memcpy_params(copyParams));
}

CUresult sim_cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					    const CUDA_MEMSET_NODE_PARAMS *memsetParams,
					    CUcontext ctx)
{
	(void)ctx;
	return set(hGraphExec, hNode, node_memset_params(memsetParams));
}

CUresult sim_cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					  const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return set(hGraphExec, hNode, node_host_params(nodeParams));
}

CUresult sim_cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						CUgraph childGraph)
{
	return set(hGraphExec, hNode, node_child_params(childGraph));
}

CUresult sim_cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
						CUevent event)
{
	return set(hGraphExec, hNode, node_event_params(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}

CUresult sim_cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
					      CUevent event)
{
	return set(hGraphExec, hNode, node_event_params(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult sim_cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return set(hGraphExec, hNode, node_memop_params(nodeParams));
}

CUresult sim_cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
				   unsigned int isEnabled)
{
	if (!graph_exec_is_live(hGraphExec) || !find_node(hGraphExec, hNode))
		return CUDA_ERROR_INVALID_VALUE;
	renew_plan(hGraphExec);
	find_node(hGraphExec, hNode)->is_disabled = !isEnabled;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
				   unsigned int *isEnabled)
{
	const struct plan_node *node =
		graph_exec_is_live(hGraphExec) ? find_node(hGraphExec, hNode) : NULL;
	if (!node || !isEnabled)
		return CUDA_ERROR_INVALID_VALUE;
	*isEnabled = !node->is_disabled;
	return CUDA_SUCCESS;
}

static bool has_same_edges(const struct plan_node *a, const struct plan_node *b)
{
	return a->n_dependencies == b->n_dependencies && a->n_dependents == b->n_dependents &&
	       (a->n_dependents == 0 || memcmp(a->dependents, b->dependents,
					       a->n_dependents * sizeof(*a->dependents)) == 0);
}

static CUgraphExecUpdateResult compare(const struct graph_plan *old, const struct graph_plan *plan,
				       CUgraphNode *out_node)
{
	*out_node = NULL;
	if (old->n_nodes != plan->n_nodes)
		return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
	for (size_t i = 0; i < plan->n_nodes; i++) {
		*out_node = plan->nodes[i].origin;
		if (old->nodes[i].type != plan->nodes[i].type)
			return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
		if (!has_same_edges(&old->nodes[i], &plan->nodes[i]))
			return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
	}
	*out_node = NULL;
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* Adopt a new plan. Nodes keep the handles of the graph that was instantiated. */
static void adopt(CUgraphExec exec, struct graph_plan *plan, CUgraph graph)
{
	CUgraph source = graph_clone(graph);
	CUgraphNode node = source->nodes;
	for (size_t i = 0; i < plan->n_nodes; i++, node = node->next) {
		plan->nodes[i].origin = node->original = exec->plan->nodes[i].origin;
		plan->nodes[i].is_disabled = exec->plan->nodes[i].is_disabled;
	}
	graph_plan_release(exec->plan);
	graph_destroy(exec->source);
	exec->plan = plan;
	exec->source = source;
}

CUresult sim_cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
			       CUgraphExecUpdateResult *updateResult_out)
{
	CUgraphNode node = NULL;
	if (!graph_exec_is_live(hGraphExec) || !handle_is(hGraph, HANDLE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	struct graph_plan *plan = graph_instantiate(hGraph);
	CUgraphExecUpdateResult verdict =
		plan ? compare(hGraphExec->plan, plan, &node) : CU_GRAPH_EXEC_UPDATE_ERROR;
	if (hErrorNode_out)
		*hErrorNode_out = node;
	if (updateResult_out)
		*updateResult_out = verdict;
	if (verdict != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
		graph_plan_release(plan);
		return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	}
	adopt(hGraphExec, plan, hGraph);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph,
				  CUgraphExecUpdateResultInfo *resultInfo)
{
	if (!resultInfo)
		return CUDA_ERROR_INVALID_VALUE;
	memset(resultInfo, 0, sizeof(*resultInfo));
	return sim_cuGraphExecUpdate(hGraphExec, hGraph, &resultInfo->errorNode,
				     &resultInfo->result);
}

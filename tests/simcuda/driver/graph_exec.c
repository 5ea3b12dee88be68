/*
 * graph_exec.c - executable graphs: instantiation, launch and updates. An update makes a new plan,
 * so launches under way keep the one they began with.
 */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "entry.h"
#include "graph_nodes.h"
#include "handles.h"
#include "queue.h"
#include "sim.h"
#include "stream.h"

struct CUgraphExec_st {
	struct graph_plan *plan;
	cuuint64_t flags;
	uint64_t n_launches;
	struct completion *last; /* the newest launch, or NULL: launches of one graph take turns */
};

static bool is_exec(CUgraphExec exec)
{
	return handle_is(exec, HANDLE_GRAPH_EXEC);
}

static CUresult instantiate(CUgraphExec *out_exec, CUgraph graph, cuuint64_t flags)
{
	struct graph_plan *plan;

	if (!out_exec || !handle_is(graph, HANDLE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	plan = graph_instantiate(graph);
	if (!plan)
		return CUDA_ERROR_INVALID_VALUE;
	*out_exec = sim_alloc(sizeof(**out_exec));
	(*out_exec)->plan = plan;
	(*out_exec)->flags = flags;
	handle_add(*out_exec, HANDLE_GRAPH_EXEC);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph,
				   CUgraphNode *phErrorNode, char *logBuffer, size_t bufferSize)
{
	if (phErrorNode)
		*phErrorNode = NULL;
	if (logBuffer && bufferSize)
		*logBuffer = '\0';
	return instantiate(phGraphExec, hGraph, 0);
}

CUresult sim_cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode,
				char *logBuffer, size_t bufferSize)
{
	return sim_cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

CUresult sim_cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
					 unsigned long long flags)
{
	return instantiate(phGraphExec, hGraph, flags);
}

CUresult sim_cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
					  CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
	CUresult result;

	if (!instantiateParams)
		return CUDA_ERROR_INVALID_VALUE;
	result = instantiate(phGraphExec, hGraph, instantiateParams->flags);
	instantiateParams->hErrNode_out = NULL;
	instantiateParams->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS
							       : CUDA_GRAPH_INSTANTIATE_ERROR;
	return result;
}

CUresult sim_cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
	if (!flags || !is_exec(hGraphExec))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = hGraphExec->flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphExecDestroy(CUgraphExec hGraphExec)
{
	if (!is_exec(hGraphExec))
		return CUDA_ERROR_INVALID_VALUE;
	handle_remove(hGraphExec);
	graph_plan_release(hGraphExec->plan);
	completion_release(hGraphExec->last);
	free(hGraphExec);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphLaunch(CUgraphExec hGraph, CUstream hStream)
{
	struct work work = {.kind = WORK_GRAPH};
	struct completion *finished;
	CUstream stream = NULL;
	CUresult result;

	if (!is_exec(hGraph))
		return CUDA_ERROR_INVALID_VALUE;
	result = stream_resolve_for_work(hStream, &stream);
	if (result == CUDA_SUCCESS) /* capturing it would need a node of the executable graph */
		result = capture_check_uncapturable(stream);
	if (result != CUDA_SUCCESS)
		return result;
	finished = completion_create();
	work.graph = graph_run_create(hGraph->plan, ++hGraph->n_launches, hGraph->last,
				      completion_reference(finished));
	hGraph->last = finished;
	return queue_submit(stream, &work);
}

CUresult sim_cuGraphUpload(CUgraphExec hGraph, CUstream hStream)
{
	struct work work = {.kind = WORK_EMPTY};

	if (!is_exec(hGraph))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_submit(hStream, &work);
}

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

/* So that it can be changed: launches under way may have the old one. */
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

static void replace(CUgraphExec exec, CUgraphNode origin, struct work *work, CUgraph child)
{
	struct plan_node *node;

	renew_plan(exec);
	node = find_node(exec, origin);
	work_release(&node->work);
	node->work = *work;
	if (child) {
		graph_plan_release(node->child);
		node->child = graph_instantiate(child);
		graph_destroy(child);
	}
}

static CUresult set(CUgraphExec exec, CUgraphNode origin, CUgraphNodeParams params)
{
	const struct plan_node *node = is_exec(exec) ? find_node(exec, origin) : NULL;
	struct work work;
	CUgraph child;
	CUresult result;

	if (!node || node->type != params.type)
		return CUDA_ERROR_INVALID_VALUE;
	result = node_make(&params, &work, &child);
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
	if (!is_exec(hGraphExec) || !find_node(hGraphExec, hNode))
		return CUDA_ERROR_INVALID_VALUE;
	renew_plan(hGraphExec);
	find_node(hGraphExec, hNode)->is_disabled = !isEnabled;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
				   unsigned int *isEnabled)
{
	const struct plan_node *node = is_exec(hGraphExec) ? find_node(hGraphExec, hNode) : NULL;

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

/* The nodes stay known by the handles of the graph that was instantiated. */
static void adopt_plan(CUgraphExec exec, struct graph_plan *plan)
{
	for (size_t i = 0; i < plan->n_nodes; i++) {
		plan->nodes[i].origin = exec->plan->nodes[i].origin;
		plan->nodes[i].is_disabled = exec->plan->nodes[i].is_disabled;
	}
	graph_plan_release(exec->plan);
	exec->plan = plan;
}

CUresult sim_cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
			       CUgraphExecUpdateResult *updateResult_out)
{
	CUgraphExecUpdateResult verdict;
	CUgraphNode node = NULL;
	struct graph_plan *plan;

	if (!is_exec(hGraphExec) || !handle_is(hGraph, HANDLE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	plan = graph_instantiate(hGraph);
	verdict = plan ? compare(hGraphExec->plan, plan, &node) : CU_GRAPH_EXEC_UPDATE_ERROR;
	if (hErrorNode_out)
		*hErrorNode_out = node;
	if (updateResult_out)
		*updateResult_out = verdict;
	if (verdict != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
		graph_plan_release(plan);
		return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
	}
	adopt_plan(hGraphExec, plan);
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

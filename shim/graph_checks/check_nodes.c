/*
 * check_nodes.c - add kernel nodes and the edges to them.
 */
#include "graph_checks/check_nodes.h"

#include <stddef.h>

#include "check/check.h"
#include "graph_checks/node_edges.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_walk.h"

/* `parameters` has room for the only one, and lives as long as the result. */
static CUDA_KERNEL_NODE_PARAMS describe(CUfunction check, struct check_order *order,
					void **parameters)
{
	parameters[0] = order;
	return (CUDA_KERNEL_NODE_PARAMS){.func = check,
					 .gridDimX = order->n_blocks,
					 .gridDimY = 1,
					 .gridDimZ = 1,
					 .blockDimX = CHECK_THREADS,
					 .blockDimY = 1,
					 .blockDimZ = 1,
					 .kernelParams = parameters};
}

/* The members of the older structure come first in the newer one. */
static CUgraphNode add(CUgraph graph, const CUgraphNode *dependencies, size_t n_dependencies,
		       CUfunction check, struct check_order *order)
{
	void *parameters[1];
	CUDA_KERNEL_NODE_PARAMS params = describe(check, order, parameters);
	CUgraphNode node = NULL;
	CUresult result =
		driver_knows(CALL_cuGraphAddKernelNode_v2)
			? real.cuGraphAddKernelNode_v2(&node, graph, dependencies, n_dependencies,
						       &params)
			: real.cuGraphAddKernelNode(&node, graph, dependencies, n_dependencies,
						    (CUDA_KERNEL_NODE_PARAMS_v1 *)&params);
	return result == CUDA_SUCCESS ? node : NULL;
}

CUgraphNode check_nodes_add_before(CUgraph graph, CUgraphNode node, CUfunction check,
				   struct check_order *order)
{
	struct node_list before;
	if (!node_edges_make_full(graph, node) || !node_edges_read_before(node, &before))
		return NULL;
	CUgraphNode added = add(graph, before.nodes, before.n_nodes, check, order);
	node_list_free(&before);
	return added && node_edges_add(graph, added, node) ? added : NULL;
}

static bool is_check(CUgraphNode node, CUfunction check)
{
	CUDA_KERNEL_NODE_PARAMS params;
	CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
	return real.cuGraphNodeGetType(node, &type) == CUDA_SUCCESS &&
	       type == CU_GRAPH_NODE_TYPE_KERNEL && graph_walk_params(node, &params) &&
	       graph_walk_kernel(&params) == check;
}

/* Let all that waits for the node wait until it has finished. */
static bool make_full_after(CUgraph graph, CUgraphNode node)
{
	struct node_list after;
	if (!node_edges_read_after(node, &after))
		return false;
	bool is_made = true;
	for (size_t i = 0; i < after.n_nodes && is_made; i++)
		is_made = node_edges_make_full(graph, after.nodes[i]);
	node_list_free(&after);
	return is_made;
}

CUgraphNode check_nodes_add_after(CUgraph graph, CUgraphNode node, CUfunction check,
				  struct check_order *order)
{
	struct node_list after;
	if (!make_full_after(graph, node) || !node_edges_read_after(node, &after))
		return NULL;
	CUgraphNode added = add(graph, &node, 1, check, order);
	for (size_t i = 0; added && i < after.n_nodes; i++)
		if (!is_check(after.nodes[i], check) &&
		    !node_edges_add(graph, added, after.nodes[i]))
			added = NULL;
	node_list_free(&after);
	return added;
}

bool check_nodes_set(CUgraphExec instance, CUgraphNode node, CUfunction check,
		     struct check_order *order)
{
	void *parameters[1];
	CUDA_KERNEL_NODE_PARAMS params = describe(check, order, parameters);
	CUresult result = driver_knows(CALL_cuGraphExecKernelNodeSetParams_v2)
				  ? real.cuGraphExecKernelNodeSetParams_v2(instance, node, &params)
				  : real.cuGraphExecKernelNodeSetParams(
					    instance, node, (CUDA_KERNEL_NODE_PARAMS_v1 *)&params);
	return result == CUDA_SUCCESS;
}

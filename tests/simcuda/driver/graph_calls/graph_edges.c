/*
 * graph_edges.c - the calls that list, add and remove edges.
 *
 * An edge has data if it is a programmatic launch's. Its order is that of others here: a node
 * starts when those before it have finished.
 */
#include "graph_calls/graph_edges.h"

#include <string.h>

#include "captures/node_set.h"
#include "entry.h"
#include "graph_calls/node_list_out.h"
#include "graphs/graph.h"
#include "handles.h"

static bool is_same(const CUgraphEdgeData *a, const CUgraphEdgeData *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static CUgraphEdgeData data_of(const CUgraphEdgeData *data, size_t edge)
{
	return data ? data[edge] : (CUgraphEdgeData){0};
}

/* A programmatic edge is between kernels, and starts at a port of its own (cuda.h, 13.0). */
static bool is_valid(CUgraphNodeType from, CUgraphNodeType to, const CUgraphEdgeData *data)
{
	CUgraphEdgeData known = {.from_port = data->from_port, .type = data->type};
	if (!is_same(data, &known))
		return false;
	if (data->type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT)
		return data->from_port == CU_GRAPH_KERNEL_NODE_PORT_DEFAULT;
	return data->type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC &&
	       from == CU_GRAPH_NODE_TYPE_KERNEL && to == CU_GRAPH_NODE_TYPE_KERNEL &&
	       (data->from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC ||
		data->from_port == CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER);
}

bool graph_edges_are_valid(const CUgraphNode *from, CUgraphNodeType to, const CUgraphEdgeData *data,
			   size_t count)
{
	for (size_t i = 0; data && i < count; i++)
		if (!is_valid(from[i]->type, to, &data[i]))
			return false;
	return true;
}

/* The edges that a call returns. */
struct edges_out {
	struct node_list_out from, to;
	CUgraphEdgeData *data;
	bool is_lossy; /* an edge has data that the call cannot return */
};

static void give(struct edges_out *out, CUgraphNode to, size_t edge)
{
	static const CUgraphEdgeData plain;
	const struct node_set *before = &to->dependencies;
	if (out->data && out->from.count < out->from.room)
		out->data[out->from.count] = before->data[edge];
	if (!out->data && !is_same(&before->data[edge], &plain))
		out->is_lossy = true;
	node_list_give(&out->from, before->nodes[edge]);
	node_list_give(&out->to, to);
}

/* A query of the number alone discards nothing. */
static CUresult finish(struct edges_out *out, size_t *count)
{
	size_t same = *count;
	if (out->is_lossy && (out->from.nodes || out->to.nodes))
		return CUDA_ERROR_LOSSY_QUERY;
	node_list_finish(out->from.nodes ? &out->from : &out->to, count);
	if (out->from.nodes)
		node_list_finish(&out->to, &same);
	return CUDA_SUCCESS;
}

static struct edges_out begin(CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
			      size_t room)
{
	return (struct edges_out){.from = {.nodes = from, .room = room},
				  .to = {.nodes = to, .room = room},
				  .data = data};
}

CUresult sim_cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies,
					   CUgraphEdgeData *edgeData, size_t *numDependencies)
{
	if (!numDependencies || !handle_is(hNode, HANDLE_NODE) || (edgeData && !dependencies))
		return CUDA_ERROR_INVALID_VALUE;
	struct edges_out out = begin(dependencies, NULL, edgeData, *numDependencies);
	for (size_t i = 0; i < hNode->dependencies.count; i++)
		give(&out, hNode, i);
	return finish(&out, numDependencies);
}

CUresult sim_cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes,
					     CUgraphEdgeData *edgeData, size_t *numDependentNodes)
{
	if (!numDependentNodes || !handle_is(hNode, HANDLE_NODE) || (edgeData && !dependentNodes))
		return CUDA_ERROR_INVALID_VALUE;
	struct edges_out out = begin(NULL, dependentNodes, edgeData, *numDependentNodes);
	for (CUgraphNode node = hNode->graph->nodes; node; node = node->next) {
		size_t edge = node_set_find(&node->dependencies, hNode);
		if (edge < node->dependencies.count)
			give(&out, node, edge);
	}
	return finish(&out, numDependentNodes);
}

CUresult sim_cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
				CUgraphEdgeData *edgeData, size_t *numEdges)
{
	if (!numEdges || !handle_is(hGraph, HANDLE_GRAPH) || !from != !to || (edgeData && !from))
		return CUDA_ERROR_INVALID_VALUE;
	struct edges_out out = begin(from, to, edgeData, *numEdges);
	for (CUgraphNode node = hGraph->nodes; node; node = node->next)
		for (size_t i = 0; i < node->dependencies.count; i++)
			give(&out, node, i);
	return finish(&out, numEdges);
}

CUresult sim_cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
					size_t *numDependencies)
{
	return sim_cuGraphNodeGetDependencies_v2(hNode, dependencies, NULL, numDependencies);
}

CUresult sim_cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
					  size_t *numDependentNodes)
{
	return sim_cuGraphNodeGetDependentNodes_v2(hNode, dependentNodes, NULL, numDependentNodes);
}

CUresult sim_cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges)
{
	return sim_cuGraphGetEdges_v2(hGraph, from, to, NULL, numEdges);
}

static bool are_nodes(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
	if (!handle_is(graph, HANDLE_GRAPH) || (count > 0 && (!from || !to)))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!graph_has_nodes(graph, &from[i], 1) || !graph_has_nodes(graph, &to[i], 1))
			return false;
	return true;
}

CUresult sim_cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
				       const CUgraphNode *to, const CUgraphEdgeData *edgeData,
				       size_t numDependencies)
{
	if (!are_nodes(hGraph, from, to, numDependencies))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < numDependencies; i++)
		if (node_set_contains(&to[i]->dependencies, from[i]) ||
		    !graph_edges_are_valid(&from[i], to[i]->type, edgeData ? &edgeData[i] : NULL,
					   1))
			return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < numDependencies; i++)
		node_set_add_edge(&to[i]->dependencies, from[i], data_of(edgeData, i));
	return CUDA_SUCCESS;
}

/* Edges with other data are other edges. */
static bool has_edge(CUgraphNode from, CUgraphNode to, CUgraphEdgeData data)
{
	const struct node_set *before = &to->dependencies;
	size_t edge = node_set_find(before, from);
	return edge < before->count && is_same(&before->data[edge], &data);
}

CUresult sim_cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
					  const CUgraphNode *to, const CUgraphEdgeData *edgeData,
					  size_t numDependencies)
{
	if (!are_nodes(hGraph, from, to, numDependencies))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < numDependencies; i++)
		if (!has_edge(from[i], to[i], data_of(edgeData, i)))
			return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < numDependencies; i++)
		node_set_remove(&to[i]->dependencies, from[i]);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
				    size_t numDependencies)
{
	return sim_cuGraphAddDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

CUresult sim_cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
				       const CUgraphNode *to, size_t numDependencies)
{
	return sim_cuGraphRemoveDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

/*
 * graph_calls.c - the calls that create, destroy and query graphs.
 */
#include <string.h>

#include "captures/node_set.h"
#include "entry.h"
#include "graphs/graph.h"
#include "handles.h"
#include "objects.h"

static bool is_graph(CUgraph graph)
{
	return handle_is(graph, HANDLE_GRAPH);
}

static bool is_node(CUgraphNode node)
{
	return handle_is(node, HANDLE_NODE);
}

CUresult sim_cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
	if (!phGraph || flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	*phGraph = graph_create();
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphDestroy(CUgraph hGraph)
{
	if (!is_graph(hGraph) || hGraph->is_child)
		return CUDA_ERROR_INVALID_VALUE;
	graph_destroy(hGraph);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
	if (!phGraphClone || !is_graph(originalGraph))
		return CUDA_ERROR_INVALID_VALUE;
	*phGraphClone = graph_clone(originalGraph);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
				    CUgraph hClonedGraph)
{
	if (!phNode || !is_graph(hClonedGraph))
		return CUDA_ERROR_INVALID_VALUE;
	for (CUgraphNode node = hClonedGraph->nodes; node; node = node->next) {
		if (node->original == hOriginalNode) {
			*phNode = node;
			return CUDA_SUCCESS;
		}
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphDestroyNode(CUgraphNode hNode)
{
	CUgraphNode previous = NULL;
	if (!is_node(hNode))
		return CUDA_ERROR_INVALID_VALUE;
	CUgraph graph = hNode->graph;
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		node_set_remove(&node->dependencies, hNode);
		if (node->next == hNode)
			previous = node;
	}
	if (previous)
		previous->next = hNode->next;
	else
		graph->nodes = hNode->next;
	if (graph->last_node == hNode)
		graph->last_node = previous;
	graph->n_nodes--;
	hNode->next = NULL;
	graph_destroy_node(hNode);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
	if (!type || !is_node(hNode))
		return CUDA_ERROR_INVALID_VALUE;
	*type = hNode->type;
	return CUDA_SUCCESS;
}

/* CUDA's convention for lists: NULL asks for the length, and spare elements become NULL. */
struct list_out {
	CUgraphNode *nodes;
	size_t room, count;
};

static void give(struct list_out *out, CUgraphNode node)
{
	if (out->nodes && out->count < out->room)
		out->nodes[out->count] = node;
	out->count++;
}

static void finish(const struct list_out *out, size_t *out_count)
{
	if (!out->nodes) {
		*out_count = out->count;
		return;
	}
	for (size_t i = out->count; i < out->room; i++)
		out->nodes[i] = NULL;
	if (out->count < *out_count)
		*out_count = out->count;
}

static CUresult give_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count, bool only_roots)
{
	struct list_out out = {.nodes = nodes};
	if (!count || !is_graph(graph))
		return CUDA_ERROR_INVALID_VALUE;
	out.room = *count;
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		if (!only_roots || node->dependencies.count == 0)
			give(&out, node);
	finish(&out, count);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
	return give_nodes(hGraph, nodes, numNodes, false);
}

CUresult sim_cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
	return give_nodes(hGraph, rootNodes, numRootNodes, true);
}

CUresult sim_cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
					size_t *numDependencies)
{
	struct list_out out = {.nodes = dependencies};
	if (!numDependencies || !is_node(hNode))
		return CUDA_ERROR_INVALID_VALUE;
	out.room = *numDependencies;
	for (size_t i = 0; i < hNode->dependencies.count; i++)
		give(&out, hNode->dependencies.nodes[i]);
	finish(&out, numDependencies);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
					  size_t *numDependentNodes)
{
	struct list_out out = {.nodes = dependentNodes};
	if (!numDependentNodes || !is_node(hNode))
		return CUDA_ERROR_INVALID_VALUE;
	out.room = *numDependentNodes;
	for (CUgraphNode node = hNode->graph->nodes; node; node = node->next)
		if (node_set_contains(&node->dependencies, hNode))
			give(&out, node);
	finish(&out, numDependentNodes);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges)
{
	struct list_out sources = {.nodes = from};
	struct list_out targets = {.nodes = to};
	if (!numEdges || !is_graph(hGraph) || !from != !to)
		return CUDA_ERROR_INVALID_VALUE;
	size_t count = 0;
	sources.room = targets.room = count = *numEdges;
	for (CUgraphNode node = hGraph->nodes; node; node = node->next) {
		for (size_t i = 0; i < node->dependencies.count; i++) {
			give(&sources, node->dependencies.nodes[i]);
			give(&targets, node);
		}
	}
	finish(&sources, numEdges);
	finish(&targets, &count);
	return CUDA_SUCCESS;
}

/* Edges have no data in this simulation. */
static void clear_edges(CUgraphEdgeData *edges, size_t count)
{
	if (edges)
		memset(edges, 0, count * sizeof(*edges));
}

CUresult sim_cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
				CUgraphEdgeData *edgeData, size_t *numEdges)
{
	CUresult result = sim_cuGraphGetEdges(hGraph, from, to, numEdges);
	if (result == CUDA_SUCCESS)
		clear_edges(edgeData, *numEdges);
	return result;
}

CUresult sim_cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies,
					   CUgraphEdgeData *edgeData, size_t *numDependencies)
{
	CUresult result = sim_cuGraphNodeGetDependencies(hNode, dependencies, numDependencies);
	if (result == CUDA_SUCCESS)
		clear_edges(edgeData, *numDependencies);
	return result;
}

CUresult sim_cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes,
					     CUgraphEdgeData *edgeData, size_t *numDependentNodes)
{
	CUresult result =
		sim_cuGraphNodeGetDependentNodes(hNode, dependentNodes, numDependentNodes);
	if (result == CUDA_SUCCESS)
		clear_edges(edgeData, *numDependentNodes);
	return result;
}

static CUresult change_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				    size_t count,
				    void (*change)(struct node_set *set, CUgraphNode node))
{
	if (!is_graph(graph) || (count > 0 && (!from || !to)))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		if (!graph_has_nodes(graph, &from[i], 1) || !graph_has_nodes(graph, &to[i], 1))
			return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		change(&to[i]->dependencies, from[i]);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
				    size_t numDependencies)
{
	return change_dependencies(hGraph, from, to, numDependencies, node_set_add);
}

CUresult sim_cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
				       const CUgraphNode *to, const CUgraphEdgeData *edgeData,
				       size_t numDependencies)
{
	(void)edgeData;
	return sim_cuGraphAddDependencies(hGraph, from, to, numDependencies);
}

CUresult sim_cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
				       const CUgraphNode *to, size_t numDependencies)
{
	return change_dependencies(hGraph, from, to, numDependencies, node_set_remove);
}

CUresult sim_cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
					  const CUgraphNode *to, const CUgraphEdgeData *edgeData,
					  size_t numDependencies)
{
	(void)edgeData;
	return sim_cuGraphRemoveDependencies(hGraph, from, to, numDependencies);
}

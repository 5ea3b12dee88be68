/*
 * graph_calls.c - the calls that create, destroy and query graphs.
 */
#include "captures/node_set.h"
#include "entry.h"
#include "graph_calls/node_list_out.h"
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

static CUresult give_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count, bool only_roots)
{
	struct node_list_out out = {.nodes = nodes};
	if (!count || !is_graph(graph))
		return CUDA_ERROR_INVALID_VALUE;
	out.room = *count;
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		if (!only_roots || node->dependencies.count == 0)
			node_list_give(&out, node);
	node_list_finish(&out, count);
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

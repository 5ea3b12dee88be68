/*
 * graph.h - graphs as the application builds them: nodes and the dependencies between them. All:
 * lock held.
 */
#ifndef SIMCUDA_GRAPH_H
#define SIMCUDA_GRAPH_H

#include <stdbool.h>

#include "graphs/graph_run.h"
#include "objects.h"
#include "work/work.h"

struct CUgraph_st {
	CUgraphNode nodes, last_node; /* by next, in order of creation */
	size_t n_nodes;
	bool is_child; /* owned by a node: its handle cannot destroy it */
};

/* A node. It contains work, or a child graph instead. */
struct CUgraphNode_st {
	CUgraph graph;
	CUgraphNode next;
	CUgraphNodeType type;
	struct work work;
	CUgraph child; /* owned, or NULL; the body of a conditional node */
	CUgraphConditionalHandle condition;
	bool is_updatable; /* by kernels, says the application; no kernel can here */
	struct node_set dependencies;
	CUgraphNode original;  /* the node it was cloned from, or NULL; never dereferenced */
	size_t index;          /* scratch space for walking the graph */
	void **param_pointers; /* returned by the getters of kernel nodes */
};

CUgraph graph_create(void);
void graph_destroy(CUgraph graph);
CUgraph graph_clone(CUgraph graph);

/* Add a node. Takes ownership of work and child, either of which may be empty. */
CUgraphNode graph_add_node(CUgraph graph, CUgraphNodeType type, struct work *work, CUgraph child,
			   const CUgraphNode *dependencies, size_t n_dependencies);

/* Like graph_add_node(), for a node whose body, initially empty, runs if the condition is not 0. */
CUgraphNode graph_add_conditional(CUgraph graph, CUgraphConditionalHandle condition,
				  const CUgraphNode *dependencies, size_t n_dependencies);

/* Free a node that is not in a list or a dependency any more. */
void graph_destroy_node(CUgraphNode node);

/* True if all of them are live nodes of that graph, without duplicates. */
bool graph_has_nodes(CUgraph graph, const CUgraphNode *nodes, size_t count);

/* Replace the work or child of a node. Takes ownership of both. */
void graph_node_replace(CUgraphNode node, struct work *work, CUgraph child);

/* Return a plan that can run, or NULL if the dependencies form a cycle. */
struct graph_plan *graph_instantiate(CUgraph graph);

#endif

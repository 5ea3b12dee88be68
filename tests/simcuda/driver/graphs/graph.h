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
	bool is_child; /* owned by a node: not destroyed by its handle */
};

/* Holds the content and, because a child graph is no work, perhaps that instead. */
struct CUgraphNode_st {
	CUgraph graph;
	CUgraphNode next;
	CUgraphNodeType type;
	struct work work;
	CUgraph child; /* owned; NULL: none. Of a conditional node its only body */
	CUgraphConditionalHandle condition;
	bool is_updatable; /* by kernels, says the application; here none can */
	struct node_set dependencies;
	CUgraphNode original;  /* of which it is a clone, or NULL; never followed */
	size_t index;          /* scratch of whoever walks the graph */
	void **param_pointers; /* what the getters of kernel nodes give out */
};

CUgraph graph_create(void);
void graph_destroy(CUgraph graph);
CUgraph graph_clone(CUgraph graph);

/* Takes ownership of work and child (either may be empty). */
CUgraphNode graph_add_node(CUgraph graph, CUgraphNodeType type, struct work *work, CUgraph child,
			   const CUgraphNode *dependencies, size_t n_dependencies);

/* As graph_add_node, of a node whose body, empty at first, runs if the condition is not 0. */
CUgraphNode graph_add_conditional(CUgraph graph, CUgraphConditionalHandle condition,
				  const CUgraphNode *dependencies, size_t n_dependencies);

/* Of a node that no list and no dependency names any more. */
void graph_destroy_node(CUgraphNode node);

/* Are all of them live nodes of that graph, and none twice? */
bool graph_has_nodes(CUgraph graph, const CUgraphNode *nodes, size_t count);

/* Replaces what the node does. Takes ownership as above. */
void graph_node_replace(CUgraphNode node, struct work *work, CUgraph child);

/* Ready to run; NULL if the dependencies form a cycle. */
struct graph_plan *graph_instantiate(CUgraph graph);

#endif

/*
 * graph_walk.h - the nodes of a graph, as the driver tells them.
 *
 * Asked where a graph is instantiated, cloned or destroyed, which is on no launch path, instead of
 * keeping a copy of every graph up to date call by call: the driver's answer is right whatever way
 * a node came, went or was changed, and it costs nothing while a graph is built or captured. All
 * that must be noted meanwhile is what the driver does not know: the stack behind each node
 * (graph_origins.h).
 *
 * None of the calls made here touches a stream, so they are legal while one captures.
 */
#ifndef CULPRIT_RECORD_GRAPH_WALK_H
#define CULPRIT_RECORD_GRAPH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

struct graph_visit {
	CUgraphNode node;
	CUgraphNodeType type;
	uint32_t index;  /* in the walk, from 0 */
	uint32_t holder; /* 1 + index of the node that holds this one's graph; 0: none */
};

/*
 * Calls `visit` for every node, those of a child graph or of a conditional node's bodies right
 * after the node that holds them; a node may be forgotten or asked about in `visit`. Returns enum
 * graph_flags: what kept nodes from being visited. Calls the driver: no lock held. Any thread.
 */
uint32_t graph_walk(CUgraph graph, void (*visit)(const struct graph_visit *visit, void *data),
		    void *data);

/* The same for one node and those that it holds. */
uint32_t graph_walk_node(CUgraphNode node,
			 void (*visit)(const struct graph_visit *visit, void *data), void *data);

/* The parameters of a kernel node, in the driver's memory; and its kernel. Calls the driver. */
bool graph_walk_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out);
CUfunction graph_walk_kernel(const CUDA_KERNEL_NODE_PARAMS *params);

/* May kernels on the device change this kernel node? Calls the driver. */
bool graph_walk_is_updatable(CUgraphNode node);

/* Is it a cooperative launch? Also true where the driver does not tell. Calls the driver. */
bool graph_walk_may_be_cooperative(CUgraphNode node);

/*
 * A conditional node was made with these bodies. The array is the driver's and lives as long as
 * the node. Any thread.
 */
void graph_walk_bodies(CUgraphNode node, CUgraph *bodies, unsigned int n_bodies);

/* The node is about to be destroyed. Any thread. */
void graph_walk_forget(CUgraphNode node);

#endif

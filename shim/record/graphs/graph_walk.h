/*
 * graph_walk.h - the nodes of a graph, as the driver reports them.
 *
 * The driver is asked when a graph is instantiated, cloned or destroyed, which no launch does. This
 * replaces an up-to-date copy of every graph: the driver's answer is right however a node was
 * added, removed or changed, and building or capturing a graph costs nothing. Only the stack of
 * each node, which the driver does not know, must be noted meanwhile (graph_origins.h).
 *
 * The calls made here touch no stream, so they are legal while one captures.
 */
#ifndef CULPRIT_RECORD_GRAPH_WALK_H
#define CULPRIT_RECORD_GRAPH_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

struct graph_visit {
	CUgraphNode node;
	CUgraph graph; /* that has the node; NULL: unknown */
	CUgraphNodeType type;
	uint32_t index;  /* in the walk, from 0 */
	uint32_t holder; /* 1 + index of the node that holds this one's graph; 0: none */
};

/*
 * Call `visit` for every node. Nodes of a child graph, or of a conditional node's bodies, come
 * right after the node that holds them. `visit` may forget or ask about a node. Returns enum
 * graph_flags: why nodes were not visited. Calls the driver: no lock held. Any thread.
 */
uint32_t graph_walk(CUgraph graph, void (*visit)(const struct graph_visit *visit, void *data),
		    void *data);

/* The same for one node and those that it holds. */
uint32_t graph_walk_node(CUgraphNode node,
			 void (*visit)(const struct graph_visit *visit, void *data), void *data);

/* Return a kernel node's parameters, in the driver's memory; and its kernel. Calls the driver. */
bool graph_walk_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out);
CUfunction graph_walk_kernel(const CUDA_KERNEL_NODE_PARAMS *params);

/* True if kernels on the device may change this kernel node. Calls the driver. */
bool graph_walk_is_updatable(CUgraphNode node);

/* True for a cooperative launch, and if the driver does not say. Calls the driver. */
bool graph_walk_may_be_cooperative(CUgraphNode node);

/*
 * Note the bodies of a new conditional node. The array is the driver's and lives as long as the
 * node. Any thread.
 */
void graph_walk_bodies(CUgraphNode node, CUgraph *bodies, unsigned int n_bodies);

/* Forget a node that is about to be destroyed. Any thread. */
void graph_walk_forget(CUgraphNode node);

#endif

/*
 * graph_pairs.h - which node of a copied graph was made from which node of the original.
 */
#ifndef CULPRIT_RECORD_GRAPH_PAIRS_H
#define CULPRIT_RECORD_GRAPH_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"

struct graph_pair {
	CUgraphNode node;
	CUgraphNode copy;   /* NULL: unknown */
	CUgraph copy_graph; /* that has the copy */
	CUgraphNodeType type;
	uint32_t holder; /* as in struct graph_visit; the index is the place among the pairs */
};

struct graph_pairs {
	struct graph_pair *pairs; /* in the order of a walk */
	uint32_t n_pairs;
	bool is_complete; /* each node has a copy */
	size_t bytes;
};

/*
 * Pair all nodes of `graph` with those of `copy`, as the driver pairs them
 * (cuGraphNodeFindInClone). If it refuses, as for child graphs, they are paired by order, if both
 * graphs have the same kinds of nodes and kernels in that order. False: the driver does not list
 * the nodes, there are none, or no memory. Calls the driver: no lock held. Any thread.
 */
bool graph_pairs_open(CUgraph graph, CUgraph copy, struct graph_pairs *out);

void graph_pairs_close(struct graph_pairs *pairs);

#endif

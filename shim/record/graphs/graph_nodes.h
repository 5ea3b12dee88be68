/*
 * graph_nodes.h - a list of nodes in memory of its own: the host's allocator is not ours to call,
 * and the arena gives nothing back.
 */
#ifndef CULPRIT_RECORD_GRAPH_NODES_H
#define CULPRIT_RECORD_GRAPH_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cuda_api.h"

/* All zero: empty. */
struct node_list {
	CUgraphNode *nodes;
	size_t n_nodes;
	size_t bytes;
};

/*
 * The nodes of a graph, without those that nodes hold, in the order in which they were made. False:
 * the driver would not tell, or out of memory; then there is nothing to free. Calls the driver.
 */
bool node_list_read(CUgraph graph, struct node_list *out);

/* An empty list with room for so many. False: no memory. */
bool node_list_make(size_t n_nodes, struct node_list *out);

/* The list is empty afterwards. */
void node_list_free(struct node_list *list);

#endif

/*
 * graph_nodes.h - a list of nodes in its own memory: we must not call the host's allocator, and the
 * arena never frees.
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
 * Read a graph's own nodes, without those that they hold, in the order of their creation. False:
 * the driver does not say, or out of memory; then there is nothing to free. Calls the driver.
 */
bool node_list_read(CUgraph graph, struct node_list *out);

/* Make an empty list with room for so many. False: no memory. */
bool node_list_make(size_t n_nodes, struct node_list *out);

/* Free the list, which is empty afterwards. */
void node_list_free(struct node_list *list);

#endif

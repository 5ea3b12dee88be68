/*
 * node_edges.h - the edges of a node, with those of programmatic launches.
 *
 * A node of a programmatic launch may start before the node that it waits for has finished. The
 * edge between the two carries data that says so (CUDA 12.3). Calls of older versions refuse to
 * list such an edge (CUDA_ERROR_LOSSY_QUERY, the documentation of cuGraphNodeGetDependencies,
 * 13.0). Drivers before 12.3 refuse all that is asked here, but they do not return the arguments of
 * kernels either, so no graph has checks. All functions here call the driver: no lock held. Any
 * thread.
 */
#ifndef CULPRIT_GRAPH_CHECKS_NODE_EDGES_H
#define CULPRIT_GRAPH_CHECKS_NODE_EDGES_H

#include <stdbool.h>

#include "base/cuda_api.h"
#include "record/graphs/graph_nodes.h"

/* List the nodes that `node` waits for. The caller frees the list. False: as node_list_read(). */
bool node_edges_read_before(CUgraphNode node, struct node_list *out);

/* List the nodes that wait for `node`. The caller frees the list. False: as node_list_read(). */
bool node_edges_read_after(CUgraphNode node, struct node_list *out);

/*
 * True if `node` waits for `previous` and no other node (NULL: for none at all). If it may overlap
 * with `previous`, then only with `may_overlap`. False if the driver cannot say.
 */
bool node_edges_follow(CUgraphNode node, CUgraphNode previous, bool may_overlap);

/* True if `node` is the only node that waits for `previous`. False if the driver cannot say. */
bool node_edges_is_only_one_after(CUgraphNode previous, CUgraphNode node);

/* Let `to` wait until `from` has finished. The edge must be new. False: refused. */
bool node_edges_add(CUgraph graph, CUgraphNode from, CUgraphNode to);

/*
 * Let the node wait until each node has finished for which it waits. This replaces the edges of
 * programmatic launches by ordinary ones. False: refused; some may be replaced.
 */
bool node_edges_make_full(CUgraph graph, CUgraphNode node);

#endif

/*
 * graph_origins.h - the stack behind each node of the application's graphs: what the driver cannot
 * tell when the graph is instantiated. A node has one from when it is made until it is destroyed.
 */
#ifndef CULPRIT_RECORD_GRAPH_ORIGINS_H
#define CULPRIT_RECORD_GRAPH_ORIGINS_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"

struct graph_origin {
	uint32_t stack;
	uint8_t source; /* enum graph_node_source */
	uint8_t flags;  /* enum graph_node_flags: GRAPH_NODE_COPIED or none */
};

/* A node was made. Any thread. */
void graph_origins_set(CUgraphNode node, struct graph_origin origin);

/*
 * Work was just captured on the stream: its node is the only one that the stream's next work will
 * depend on, unless another thread works on the same capture. Asks cuStreamGetCaptureInfo, which
 * is legal in a capture and changes nothing in it. The caller holds the stream's lock, so that no
 * other submission to it comes in between. Any thread.
 */
void graph_origins_captured(CUstream stream, uint32_t stack);

/* Where the node came from; all zero (GRAPH_NODE_UNSEEN) if that is not known. Any thread. */
struct graph_origin graph_origins_get(CUgraphNode node);

/*
 * `copy` was made from `graph` by the driver: its nodes come from where the originals come from.
 * They are paired as the driver pairs them (cuGraphNodeFindInClone), or where it will not, as for
 * child graphs, by their order, if both graphs have the same kinds of nodes and kernels in it.
 * Calls the driver: no lock held. Any thread.
 */
void graph_origins_copy(CUgraph graph, CUgraph copy);

/* The graph, or the node, is about to be destroyed: handles may come back. Calls the driver. */
void graph_origins_forget(CUgraph graph);
void graph_origins_forget_node(CUgraphNode node);

#endif

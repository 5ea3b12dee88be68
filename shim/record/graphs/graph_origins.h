/*
 * graph_origins.h - the stack of each node of the application's graphs, which the driver cannot
 * report when the graph is instantiated. A node has one from creation until it is destroyed.
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

/* Note a new node. Any thread. */
void graph_origins_set(CUgraphNode node, struct graph_origin origin);

/*
 * Note the node of work just captured on the stream. The stream's next work will depend on this
 * node only, unless another thread works on the same capture. Asks cuStreamGetCaptureInfo, which is
 * legal in a capture and changes nothing in it. The caller holds the stream's lock, so that no
 * other submission to it comes between. Any thread.
 */
void graph_origins_captured(CUstream stream, uint32_t stack);

/* Return the node's origin; all zero (GRAPH_NODE_UNSEEN) if unknown. Any thread. */
struct graph_origin graph_origins_get(CUgraphNode node);

/*
 * Copy the origins of `graph` to `copy`, which the driver made from it, by the pairs of
 * graph_pairs.h. Calls the driver: no lock held. Any thread.
 */
void graph_origins_copy(CUgraph graph, CUgraph copy);

/* Forget a graph or node that is about to be destroyed, for reused handles. Calls the driver. */
void graph_origins_forget(CUgraph graph);
void graph_origins_forget_node(CUgraphNode node);

#endif

/*
 * graph_origins.h - remember which stack created each node of the application's graphs. The driver
 * cannot report it when the graph is instantiated. A node keeps its origin until it is destroyed.
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

/* Set the origin of a new node; NULL is ignored. Any thread. */
void graph_origins_set(CUgraphNode node, struct graph_origin origin);

/*
 * Set the origin of the node that was just captured on the stream. It is the only node that the
 * stream's next work would depend on, unless another thread works on the same capture. Calls
 * cuStreamGetCaptureInfo, which is legal in a capture and changes nothing in it. The caller holds
 * the stream's lock, so that no other submission to the stream comes between. Any thread.
 */
void graph_origins_captured(CUstream stream, uint32_t stack);

/* Return the node's origin; all zero (GRAPH_NODE_UNSEEN) if unknown. Any thread. */
struct graph_origin graph_origins_get(CUgraphNode node);

/*
 * Copy the origins of `graph` to `copy`, which the driver made from it, by the pairs of
 * graph_pairs.h. Calls the driver: no lock held. Any thread.
 */
void graph_origins_copy(CUgraph graph, CUgraph copy);

/*
 * Forget the origins of a graph or node that is about to be destroyed, because the driver reuses
 * handles. Calls the driver: no lock held. Any thread.
 */
void graph_origins_forget(CUgraph graph);
void graph_origins_forget_node(CUgraphNode node);

#endif

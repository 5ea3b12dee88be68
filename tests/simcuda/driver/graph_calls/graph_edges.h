/*
 * graph_edges.h - the data of edges. Lock held.
 */
#ifndef SIMCUDA_GRAPH_EDGES_H
#define SIMCUDA_GRAPH_EDGES_H

#include "objects.h"

/* True if edges with this data may lead to a node of the type. `data` NULL: all are ordinary. */
bool graph_edges_are_valid(const CUgraphNode *from, CUgraphNodeType to, const CUgraphEdgeData *data,
			   size_t count);

#endif

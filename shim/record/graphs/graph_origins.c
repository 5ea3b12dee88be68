/*
 * graph_origins.c - a map from node to stack, filled by capture and by calls that add nodes.
 */
#include "record/graphs/graph_origins.h"

#include <stddef.h>

#include "record/driver/driver.h"
#include "record/graphs/graph_pairs.h"
#include "record/graphs/graph_walk.h"
#include "record/host/handle_map.h"

static struct handle_map origins; /* CUgraphNode -> packed struct graph_origin */

static uint64_t pack(struct graph_origin origin)
{
	return origin.stack | (uint64_t)origin.source << 32 | (uint64_t)origin.flags << 40;
}

static struct graph_origin unpack(uint64_t value)
{
	return (struct graph_origin){.stack = (uint32_t)value,
				     .source = (uint8_t)(value >> 32),
				     .flags = (uint8_t)(value >> 40)};
}

void graph_origins_set(CUgraphNode node, struct graph_origin origin)
{
	if (node)
		(void)handle_map_put(&origins, (uintptr_t)node, pack(origin));
}

struct graph_origin graph_origins_get(CUgraphNode node)
{
	uint64_t value = 0;
	(void)handle_map_get(&origins, (uintptr_t)node, &value);
	return unpack(value);
}

/* Only the second form refuses to answer if an edge carries data (programmatic launches). */
static CUresult ask_capture(CUstream stream, CUstreamCaptureStatus *status,
			    const CUgraphNode **nodes, size_t *n_nodes)
{
	const CUgraphEdgeData *edges = NULL;
	if (driver_knows(CALL_cuStreamGetCaptureInfo_v3))
		return real.cuStreamGetCaptureInfo_v3(stream, status, NULL, NULL, nodes, &edges,
						      n_nodes);
	return real.cuStreamGetCaptureInfo_v2(stream, status, NULL, NULL, nodes, n_nodes);
}

void graph_origins_captured(CUstream stream, uint32_t stack)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	const CUgraphNode *nodes = NULL;
	size_t n_nodes = 0;
	if (ask_capture(stream, &status, &nodes, &n_nodes) != CUDA_SUCCESS ||
	    status != CU_STREAM_CAPTURE_STATUS_ACTIVE || n_nodes != 1)
		return;
	graph_origins_set(nodes[0],
			  (struct graph_origin){.stack = stack, .source = GRAPH_NODE_CAPTURED});
}

static void copy_origin(CUgraphNode node, CUgraphNode copy)
{
	struct graph_origin origin = graph_origins_get(node);
	origin.flags |= GRAPH_NODE_COPIED;
	if (origin.source != GRAPH_NODE_UNSEEN)
		graph_origins_set(copy, origin);
}

void graph_origins_copy(CUgraph graph, CUgraph copy)
{
	struct graph_pairs pairs;
	if (!graph_pairs_open(graph, copy, &pairs))
		return;
	for (uint32_t i = 0; i < pairs.n_pairs; i++)
		if (pairs.pairs[i].copy)
			copy_origin(pairs.pairs[i].node, pairs.pairs[i].copy);
	graph_pairs_close(&pairs);
}

static void forget(CUgraphNode node)
{
	uint64_t ignored = 0;
	(void)handle_map_take(&origins, (uintptr_t)node, &ignored);
	graph_walk_forget(node);
}

static void forget_visited(const struct graph_visit *visit, void *data)
{
	(void)data;
	forget(visit->node);
}

void graph_origins_forget(CUgraph graph)
{
	(void)graph_walk(graph, forget_visited, NULL);
}

void graph_origins_forget_node(CUgraphNode node)
{
	(void)graph_walk_node(node, forget_visited, NULL);
}

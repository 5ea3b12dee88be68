/*
 * graph_origins.c - a map from node to stack, filled by capture and by calls that add nodes.
 */
#include "record/graphs/graph_origins.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "record/driver/driver.h"
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

/* The nodes of a graph in the order of a walk, with the data that identifies each. */
struct listed_node {
	CUgraphNode node;
	CUfunction function; /* of a kernel */
	CUgraphNodeType type;
};

struct listing {
	struct listed_node *nodes; /* NULL: only counted */
	uint32_t n_nodes;
	uint32_t n_places;
};

static CUfunction function_of(CUgraphNode node)
{
	CUDA_KERNEL_NODE_PARAMS params;
	return graph_walk_params(node, &params) ? graph_walk_kernel(&params) : NULL;
}

static void list_node(const struct graph_visit *visit, void *data)
{
	struct listing *listing = data;
	uint32_t place = listing->n_nodes++;
	if (place >= listing->n_places)
		return;
	listing->nodes[place] = (struct listed_node){.node = visit->node, .type = visit->type};
	if (visit->type == CU_GRAPH_NODE_TYPE_KERNEL)
		listing->nodes[place].function = function_of(visit->node);
}

static size_t bytes_of(const struct listing *listing)
{
	return listing->n_places * sizeof(*listing->nodes);
}

static bool open_listing(CUgraph graph, struct listing *out)
{
	*out = (struct listing){0};
	if (graph_walk(graph, list_node, out) != 0 || out->n_nodes == 0)
		return false;
	out->n_places = out->n_nodes;
	void *memory = mmap(NULL, bytes_of(out), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	out->nodes = memory;
	out->n_nodes = 0;
	(void)graph_walk(graph, list_node, out);
	return true;
}

static void close_listing(struct listing *listing)
{
	if (listing->nodes)
		(void)munmap(listing->nodes, bytes_of(listing));
}

static bool is_same_order(const struct listing *a, const struct listing *b)
{
	if (a->n_nodes != b->n_nodes || a->n_nodes > a->n_places || b->n_nodes > b->n_places)
		return false;
	for (uint32_t i = 0; i < a->n_nodes; i++) {
		if (a->nodes[i].type != b->nodes[i].type ||
		    a->nodes[i].function != b->nodes[i].function)
			return false;
	}
	return true;
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
	struct listing from = {0};
	struct listing to = {0};
	bool is_ordered =
		open_listing(graph, &from) && open_listing(copy, &to) && is_same_order(&from, &to);
	for (uint32_t i = 0; i < from.n_nodes && i < from.n_places; i++) {
		CUgraphNode paired = NULL;
		if (real.cuGraphNodeFindInClone(&paired, from.nodes[i].node, copy) == CUDA_SUCCESS)
			copy_origin(from.nodes[i].node, paired);
		else if (is_ordered)
			copy_origin(from.nodes[i].node, to.nodes[i].node);
	}
	close_listing(&from);
	close_listing(&to);
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

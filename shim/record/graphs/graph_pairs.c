/*
 * graph_pairs.c - list two graphs and pair their nodes.
 */
#include "record/graphs/graph_pairs.h"

#include <sys/mman.h>

#include "record/driver/driver.h"
#include "record/graphs/graph_walk.h"

/* The nodes of a graph in the order of a walk, with the data that identifies each. */
struct listed_node {
	CUgraphNode node;
	CUgraph graph;
	CUfunction function; /* of a kernel */
	CUgraphNodeType type;
	uint32_t holder;
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
	listing->nodes[place] = (struct listed_node){.node = visit->node,
						     .graph = visit->graph,
						     .type = visit->type,
						     .holder = visit->holder};
	if (visit->type == CU_GRAPH_NODE_TYPE_KERNEL)
		listing->nodes[place].function = function_of(visit->node);
}

static void *map_pages(size_t bytes)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
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
	out->nodes = map_pages(bytes_of(out));
	if (!out->nodes)
		return false;
	out->n_nodes = 0;
	(void)graph_walk(graph, list_node, out);
	return out->n_nodes <= out->n_places;
}

static void close_listing(struct listing *listing)
{
	if (listing->nodes)
		(void)munmap(listing->nodes, bytes_of(listing));
}

static bool is_same_order(const struct listing *a, const struct listing *b)
{
	if (!b->nodes || a->n_nodes != b->n_nodes)
		return false;
	for (uint32_t i = 0; i < a->n_nodes; i++) {
		if (a->nodes[i].type != b->nodes[i].type ||
		    a->nodes[i].function != b->nodes[i].function)
			return false;
	}
	return true;
}

static struct graph_pair pair(const struct listing *from, const struct listing *to, uint32_t i,
			      CUgraph copy, bool is_ordered)
{
	const struct listed_node *node = &from->nodes[i];
	struct graph_pair made = {.node = node->node, .type = node->type, .holder = node->holder};
	CUgraphNode found = NULL;
	if (real.cuGraphNodeFindInClone(&found, node->node, copy) == CUDA_SUCCESS) {
		made.copy = found;
		made.copy_graph = copy;
	} else if (is_ordered) {
		made.copy = to->nodes[i].node;
		made.copy_graph = to->nodes[i].graph;
	}
	return made;
}

static bool make_pairs(const struct listing *from, const struct listing *to, CUgraph copy,
		       struct graph_pairs *out)
{
	bool is_ordered = is_same_order(from, to);
	*out = (struct graph_pairs){.n_pairs = from->n_nodes,
				    .is_complete = true,
				    .bytes = from->n_nodes * sizeof(*out->pairs)};
	out->pairs = map_pages(out->bytes);
	for (uint32_t i = 0; out->pairs && i < out->n_pairs; i++) {
		out->pairs[i] = pair(from, to, i, copy, is_ordered);
		out->is_complete &= out->pairs[i].copy != NULL;
	}
	return out->pairs;
}

bool graph_pairs_open(CUgraph graph, CUgraph copy, struct graph_pairs *out)
{
	struct listing from = {0};
	struct listing to = {0};
	bool is_made = open_listing(graph, &from);
	/* Without a listing of the copy, nothing is paired by order. */
	if (is_made)
		(void)open_listing(copy, &to);
	is_made = is_made && make_pairs(&from, &to, copy, out);
	close_listing(&from);
	close_listing(&to);
	return is_made;
}

void graph_pairs_close(struct graph_pairs *pairs)
{
	(void)munmap(pairs->pairs, pairs->bytes);
	*pairs = (struct graph_pairs){0};
}

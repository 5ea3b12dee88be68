/*
 * node_edges.c - list and replace the edges of a node.
 *
 * A list is read with room for more edges than there are. A query of their number need not be
 * answered: it passes no room for data.
 */
#include "graph_checks/node_edges.h"

#include <stddef.h>
#include <stdint.h>

#include "record/driver/driver.h"

enum { FIRST_ROOM = 256 }; /* with the data, a page */

/* The bytes of a CUgraphEdgeData, which headers before CUDA 12.3 do not have. */
struct edge_data {
	uint64_t bytes;
};

struct edges {
	struct node_list nodes; /* at the other ends */
	struct edge_data *data; /* in the same memory */
};

static CUgraphEdgeData *as_drivers(struct edge_data *data)
{
	return (CUgraphEdgeData *)(void *)data;
}

typedef CUresult question(CUgraphNode node, CUgraphNode *out, CUgraphEdgeData *data, size_t *n);

/* False: refused, or no memory. Then there is nothing to free. */
static bool read_into(question *ask, CUgraphNode node, size_t room, struct edges *out)
{
	if (!node_list_make(2 * room, &out->nodes))
		return false;
	out->data = (struct edge_data *)(void *)(out->nodes.nodes + room);
	out->nodes.n_nodes = room;
	if (ask(node, out->nodes.nodes, as_drivers(out->data), &out->nodes.n_nodes) == CUDA_SUCCESS)
		return true;
	node_list_free(&out->nodes);
	return false;
}

static bool read_edges(question *ask, CUgraphNode node, struct edges *out)
{
	size_t room = FIRST_ROOM;
	_Static_assert(sizeof(*out->data) == sizeof(*out->nodes.nodes), "half of the list is data");
	while (read_into(ask, node, room, out)) {
		if (out->nodes.n_nodes < room)
			return true;
		node_list_free(&out->nodes);
		room *= 2;
	}
	return false;
}

bool node_edges_read_before(CUgraphNode node, struct node_list *out)
{
	struct edges edges;
	bool is_read = read_edges(real.cuGraphNodeGetDependencies_v2, node, &edges);
	*out = edges.nodes;
	return is_read;
}

bool node_edges_read_after(CUgraphNode node, struct node_list *out)
{
	struct edges edges;
	bool is_read = read_edges(real.cuGraphNodeGetDependentNodes_v2, node, &edges);
	*out = edges.nodes;
	return is_read;
}

static bool is_full(const struct edge_data *data)
{
	return data->bytes == 0;
}

bool node_edges_follow(CUgraphNode node, CUgraphNode previous, bool may_overlap)
{
	size_t n = 2;
	CUgraphNode before[2];
	struct edge_data data[2] = {{0}};
	if (real.cuGraphNodeGetDependencies_v2(node, before, as_drivers(data), &n) != CUDA_SUCCESS)
		return false;
	if (!previous)
		return n == 0;
	return n == 1 && before[0] == previous && (may_overlap || is_full(&data[0]));
}

bool node_edges_is_only_one_after(CUgraphNode previous, CUgraphNode node)
{
	size_t n = 2;
	CUgraphNode after[2];
	struct edge_data data[2] = {{0}};
	return real.cuGraphNodeGetDependentNodes_v2(previous, after, as_drivers(data), &n) ==
		       CUDA_SUCCESS &&
	       n == 1 && after[0] == node;
}

bool node_edges_add(CUgraph graph, CUgraphNode from, CUgraphNode to)
{
	return real.cuGraphAddDependencies(graph, &from, &to, 1) == CUDA_SUCCESS;
}

/* True if another edge comes from the same node and is full, or was replaced before. */
static bool has_full_twin(const struct edges *edges, size_t edge)
{
	for (size_t i = 0; i < edges->nodes.n_nodes; i++)
		if (i != edge && edges->nodes.nodes[i] == edges->nodes.nodes[edge] &&
		    (i < edge || is_full(&edges->data[i])))
			return true;
	return false;
}

static bool replace(CUgraph graph, const struct edges *edges, size_t edge, CUgraphNode to)
{
	CUgraphNode from = edges->nodes.nodes[edge];
	return real.cuGraphRemoveDependencies_v2(graph, &from, &to, as_drivers(&edges->data[edge]),
						 1) == CUDA_SUCCESS &&
	       (has_full_twin(edges, edge) || node_edges_add(graph, from, to));
}

bool node_edges_make_full(CUgraph graph, CUgraphNode node)
{
	struct edges edges;
	if (!read_edges(real.cuGraphNodeGetDependencies_v2, node, &edges))
		return false;
	bool is_made = true;
	for (size_t i = 0; i < edges.nodes.n_nodes && is_made; i++)
		is_made = is_full(&edges.data[i]) || replace(graph, &edges, i, node);
	node_list_free(&edges.nodes);
	return is_made;
}

/*
 * graph_walk.c - ask the driver for the nodes of graphs, child graphs and bodies included.
 */
#include "record/graphs/graph_walk.h"

#include <stddef.h>
#include <string.h>

#include "base/journal_format.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_nodes.h"
#include "record/host/handle_map.h"

/* Limit graphs within graphs, only in case a driver answers in circles. */
enum { MAX_DEPTH = 32 };

/* Conditional node -> address of its bodies | their number << BODIES_SHIFT. */
static struct handle_map bodies_of;
enum { BODIES_SHIFT = 48, MAX_BODIES = UINT16_MAX }; /* user space ends below 2^47 */

struct walk {
	void (*visit)(const struct graph_visit *visit, void *data);
	void *data;
	uint32_t n_nodes;
	uint32_t flags;
};

/* Recursive, as graphs are. The stack grows by little; the lists are elsewhere. */
static void walk_graph(struct walk *walk, CUgraph graph, uint32_t holder, int depth);

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_child(struct walk *walk, CUgraphNode node, uint32_t holder, int depth)
{
	CUgraph child = NULL;
	if (real.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS)
		walk_graph(walk, child, holder, depth);
	else
		walk->flags |= GRAPH_NODES_LOST;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_bodies(struct walk *walk, uint64_t value, uint32_t holder, int depth)
{
	CUgraph *bodies = (CUgraph *)(uintptr_t)(value & ((1ull << BODIES_SHIFT) - 1));
	walk->flags |= bodies ? 0 : GRAPH_NODES_HIDDEN;
	for (uint64_t i = 0; bodies && i < value >> BODIES_SHIFT; i++)
		walk_graph(walk, bodies[i], holder, depth);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_node(struct walk *walk, CUgraph graph, CUgraphNode node, uint32_t holder,
		      int depth)
{
	struct graph_visit visit = {
		.node = node, .graph = graph, .index = walk->n_nodes++, .holder = holder};
	if (real.cuGraphNodeGetType(node, &visit.type) != CUDA_SUCCESS) {
		walk->flags |= GRAPH_NODES_LOST;
		return;
	}
	uint64_t bodies = 0; /* looked up first: the visit may forget the node */
	if (visit.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		(void)handle_map_get(&bodies_of, (uintptr_t)node, &bodies);
	walk->visit(&visit, walk->data);
	if (visit.type == CU_GRAPH_NODE_TYPE_GRAPH)
		walk_child(walk, node, visit.index + 1, depth + 1);
	else if (visit.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		walk_bodies(walk, bodies, visit.index + 1, depth + 1);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void walk_graph(struct walk *walk, CUgraph graph, uint32_t holder, int depth)
{
	struct node_list list;
	if (depth == MAX_DEPTH || !node_list_read(graph, &list)) {
		walk->flags |= GRAPH_NODES_LOST;
		return;
	}
	for (size_t i = 0; i < list.n_nodes; i++)
		walk_node(walk, graph, list.nodes[i], holder, depth);
	node_list_free(&list);
}

uint32_t graph_walk(CUgraph graph, void (*visit)(const struct graph_visit *visit, void *data),
		    void *data)
{
	struct walk walk = {.visit = visit, .data = data};
	walk_graph(&walk, graph, 0, 0);
	return walk.flags;
}

uint32_t graph_walk_node(CUgraphNode node,
			 void (*visit)(const struct graph_visit *visit, void *data), void *data)
{
	struct walk walk = {.visit = visit, .data = data};
	walk_node(&walk, NULL, node, 0, 0);
	return walk.flags;
}

/* The older structure's members come first in the newer structure. */
bool graph_walk_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
	memset(out, 0, sizeof(*out));
	if (driver_knows(CALL_cuGraphKernelNodeGetParams_v2))
		return real.cuGraphKernelNodeGetParams_v2(node, out) == CUDA_SUCCESS;
	return real.cuGraphKernelNodeGetParams(node, (CUDA_KERNEL_NODE_PARAMS_v1 *)out) ==
	       CUDA_SUCCESS;
}

static bool get_attribute(CUgraphNode node, CUkernelNodeAttrID attribute,
			  CUkernelNodeAttrValue *out)
{
	memset(out, 0, sizeof(*out));
	return real.cuGraphKernelNodeGetAttribute(node, attribute, out) == CUDA_SUCCESS;
}

/* Drivers before 12.4 have no such nodes. */
bool graph_walk_is_updatable(CUgraphNode node)
{
	int is_updatable = 0; /* the value's first member, without a name in a cuda.h before 12.4 */
	CUkernelNodeAttrValue value;
	if (!get_attribute(node, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, &value))
		return false;
	memcpy(&is_updatable, &value, sizeof(is_updatable));
	return is_updatable;
}

bool graph_walk_may_be_cooperative(CUgraphNode node)
{
	CUkernelNodeAttrValue value;
	return !get_attribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value) || value.cooperative;
}

/* A launch takes a CUkernel as a CUfunction, and functions_of() distinguishes them. */
CUfunction graph_walk_kernel(const CUDA_KERNEL_NODE_PARAMS *params)
{
	return params->func ? params->func : (CUfunction)params->kern;
}

void graph_walk_bodies(CUgraphNode node, CUgraph *bodies, unsigned int n_bodies)
{
	uint64_t value = (uintptr_t)bodies | (uint64_t)n_bodies << BODIES_SHIFT;
	if (bodies && n_bodies <= MAX_BODIES)
		(void)handle_map_put(&bodies_of, (uintptr_t)node, value);
}

void graph_walk_forget(CUgraphNode node)
{
	uint64_t ignored = 0;
	(void)handle_map_take(&bodies_of, (uintptr_t)node, &ignored);
}

/*
 * graph.c - lifetime of graphs and nodes, and making the plan of an executable graph.
 */
#include "graphs/graph.h"

#include <stdlib.h>

#include "captures/node_set.h"
#include "handles.h"
#include "sim.h"
#include "work/work_run.h"

CUgraph graph_create(void)
{
	CUgraph graph = sim_alloc(sizeof(*graph));
	handle_add(graph, HANDLE_GRAPH);
	return graph;
}

static void empty_node(CUgraphNode node)
{
	work_release(&node->work);
	if (node->child)
		graph_destroy(node->child);
	free(node->param_pointers);
	node->child = NULL;
	node->param_pointers = NULL;
}

void graph_destroy_node(CUgraphNode node)
{
	handle_remove(node);
	empty_node(node);
	node_set_clear(&node->dependencies);
	free(node);
}

void graph_destroy(CUgraph graph)
{
	CUgraphNode node = graph->nodes;
	while (node) {
		CUgraphNode next = node->next;
		graph_destroy_node(node);
		node = next;
	}
	handle_remove(graph);
	free(graph);
}

void graph_node_replace(CUgraphNode node, struct work *work, CUgraph child)
{
	empty_node(node);
	node->work = *work;
	node->child = child;
	if (child)
		child->is_child = true;
}

static void append(CUgraph graph, CUgraphNode node)
{
	if (graph->last_node)
		graph->last_node->next = node;
	else
		graph->nodes = node;
	graph->last_node = node;
	graph->n_nodes++;
}

CUgraphNode graph_add_node(CUgraph graph, CUgraphNodeType type, struct work *work, CUgraph child,
			   const CUgraphNode *dependencies, size_t n_dependencies)
{
	CUgraphNode node = sim_alloc(sizeof(*node));
	node->graph = graph;
	node->type = type;
	graph_node_replace(node, work, child);
	for (size_t i = 0; i < n_dependencies; i++)
		node_set_add(&node->dependencies, dependencies[i]);
	append(graph, node);
	handle_add(node, HANDLE_NODE);
	return node;
}

CUgraphNode graph_add_conditional(CUgraph graph, CUgraphConditionalHandle condition,
				  const CUgraphNode *dependencies, size_t n_dependencies)
{
	struct work nothing = {.kind = WORK_EMPTY};
	CUgraphNode node = graph_add_node(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL, &nothing,
					  graph_create(), dependencies, n_dependencies);
	node->condition = condition;
	return node;
}

bool graph_has_nodes(CUgraph graph, const CUgraphNode *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!handle_is(nodes[i], HANDLE_NODE) || nodes[i]->graph != graph)
			return false;
		for (size_t j = 0; j < i; j++)
			if (nodes[j] == nodes[i])
				return false;
	}
	return true;
}

/* Number the nodes and return them in that order; the caller frees the array. */
static CUgraphNode *number_nodes(CUgraph graph)
{
	CUgraphNode *nodes = sim_alloc(graph->n_nodes * sizeof(CUgraphNode));
	size_t i = 0;
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		node->index = i;
		nodes[i++] = node;
	}
	return nodes;
}

static void clone_node(CUgraph clone, CUgraphNode node)
{
	struct work work = work_copy(&node->work);
	CUgraphNode copy = graph_add_node(clone, node->type, &work,
					  node->child ? graph_clone(node->child) : NULL, NULL, 0);
	copy->original = node;
	copy->condition = node->condition;
	copy->is_updatable = node->is_updatable;
}

CUgraph graph_clone(CUgraph graph)
{
	CUgraph clone = graph_create();
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		clone_node(clone, node);
	free(number_nodes(graph));
	CUgraphNode *copies = number_nodes(clone);
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		for (size_t i = 0; i < node->dependencies.count; i++)
			node_set_add_edge(&copies[node->index]->dependencies,
					  copies[node->dependencies.nodes[i]->index],
					  node->dependencies.data[i]);
	free(copies);
	return clone;
}

static void add_dependent(struct plan_node *node, struct plan_edge dependent)
{
	struct plan_edge *grown =
		realloc(node->dependents, (node->n_dependents + 1) * sizeof(*grown));
	if (!grown)
		abort();
	grown[node->n_dependents++] = dependent;
	node->dependents = grown;
}

static bool plan_one(struct graph_plan *plan, CUgraphNode node)
{
	struct plan_node *planned = &plan->nodes[node->index];
	planned->origin = node;
	planned->type = node->type;
	planned->work = work_copy(&node->work);
	planned->n_dependencies = node->dependencies.count;
	for (size_t i = 0; i < node->dependencies.count; i++)
		add_dependent(
			&plan->nodes[node->dependencies.nodes[i]->index],
			(struct plan_edge){.to = (unsigned)node->index,
					   .may_overlap = node->dependencies.data[i].type ==
							  CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC});
	if (node->child)
		planned->child = graph_instantiate(node->child);
	/* Kernels cannot set the condition here, so it keeps its initial value. */
	planned->is_disabled =
		node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && (uint32_t)node->condition == 0;
	return !node->child || planned->child;
}

/* Remove nodes without dependencies as long as there are any; the rest forms cycles. */
static bool has_cycle(const struct graph_plan *plan)
{
	size_t *n_missing = sim_alloc(plan->n_nodes * sizeof(*n_missing));
	size_t *ready = sim_alloc(plan->n_nodes * sizeof(*ready));
	size_t n_ready = 0;
	size_t n_done = 0;
	for (size_t i = 0; i < plan->n_nodes; i++) {
		n_missing[i] = plan->nodes[i].n_dependencies;
		if (n_missing[i] == 0)
			ready[n_ready++] = i;
	}
	for (; n_done < n_ready; n_done++) {
		const struct plan_node *node = &plan->nodes[ready[n_done]];
		for (size_t i = 0; i < node->n_dependents; i++)
			if (--n_missing[node->dependents[i].to] == 0)
				ready[n_ready++] = node->dependents[i].to;
	}
	free(n_missing);
	free(ready);
	return n_done < plan->n_nodes;
}

struct graph_plan *graph_instantiate(CUgraph graph)
{
	struct graph_plan *plan = graph_plan_reference(sim_alloc(sizeof(*plan)));
	bool is_complete = true;
	plan->n_nodes = graph->n_nodes;
	plan->nodes = sim_alloc(plan->n_nodes * sizeof(*plan->nodes));
	free(number_nodes(graph));
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		is_complete = plan_one(plan, node) && is_complete;
	if (is_complete && !has_cycle(plan))
		return plan;
	graph_plan_release(plan);
	return NULL;
}

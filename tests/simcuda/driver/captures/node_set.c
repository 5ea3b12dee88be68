/*
 * node_set.c - sets of graph nodes. They are small, so a plain array is sufficient.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#include "captures/node_set.h"

size_t node_set_find(const struct node_set *set, CUgraphNode node)
{
	size_t i = 0;
	while (i < set->count && set->nodes[i] != node)
		i++;
	return i;
}

bool node_set_contains(const struct node_set *set, CUgraphNode node)
{
	return node_set_find(set, node) < set->count;
}

static void *grow(void *old, size_t count, size_t size)
{
	void *grown = sim_alloc((count + 1) * size);
	if (count)
		memcpy(grown, old, count * size);
	free(old);
	return grown;
}

void node_set_add_edge(struct node_set *set, CUgraphNode node, CUgraphEdgeData data)
{
	if (node_set_contains(set, node))
		return;
	set->nodes = grow(set->nodes, set->count, sizeof(*set->nodes));
	set->data = grow(set->data, set->count, sizeof(*set->data));
	set->nodes[set->count] = node;
	set->data[set->count++] = data;
}

void node_set_add(struct node_set *set, CUgraphNode node)
{
	node_set_add_edge(set, node, (CUgraphEdgeData){0});
}

void node_set_remove(struct node_set *set, CUgraphNode node)
{
	size_t i = node_set_find(set, node);
	if (i == set->count)
		return;
	set->nodes[i] = set->nodes[--set->count];
	set->data[i] = set->data[set->count];
}

void node_set_add_all(struct node_set *set, const struct node_set *others)
{
	for (size_t i = 0; i < others->count; i++)
		node_set_add_edge(set, others->nodes[i], others->data[i]);
}

void node_set_clear(struct node_set *set)
{
	free(set->nodes);
	free(set->data);
	*set = (struct node_set){0};
}

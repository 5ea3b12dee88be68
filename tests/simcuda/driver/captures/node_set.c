/*
 * node_set.c - sets of graph nodes. They are small, so a plain array is sufficient.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#include "captures/node_set.h"

static size_t find(const struct node_set *set, CUgraphNode node)
{
	size_t i = 0;
	while (i < set->count && set->nodes[i] != node)
		i++;
	return i;
}

bool node_set_contains(const struct node_set *set, CUgraphNode node)
{
	return find(set, node) < set->count;
}

void node_set_add(struct node_set *set, CUgraphNode node)
{
	if (node_set_contains(set, node))
		return;
	CUgraphNode *grown = sim_alloc((set->count + 1) * sizeof(*grown));
	if (set->count)
		memcpy(grown, set->nodes, set->count * sizeof(*grown));
	free(set->nodes);
	grown[set->count++] = node;
	set->nodes = grown;
}

void node_set_remove(struct node_set *set, CUgraphNode node)
{
	size_t i = find(set, node);
	if (i < set->count)
		set->nodes[i] = set->nodes[--set->count];
}

void node_set_add_all(struct node_set *set, const struct node_set *others)
{
	for (size_t i = 0; i < others->count; i++)
		node_set_add(set, others->nodes[i]);
}

void node_set_clear(struct node_set *set)
{
	free(set->nodes);
	*set = (struct node_set){0};
}

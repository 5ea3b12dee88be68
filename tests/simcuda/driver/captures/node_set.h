/*
 * node_set.h - sets of a graph's nodes. All: lock held.
 */
#ifndef SIMCUDA_NODE_SET_H
#define SIMCUDA_NODE_SET_H

#include "objects.h"

/* Return the place of a node; the number of nodes if it is not in the set. */
size_t node_set_find(const struct node_set *set, CUgraphNode node);
bool node_set_contains(const struct node_set *set, CUgraphNode node);
/* Adding a member, and removing a node that is not one, has no effect. */
void node_set_add(struct node_set *set, CUgraphNode node);
void node_set_add_edge(struct node_set *set, CUgraphNode node, CUgraphEdgeData data);
void node_set_remove(struct node_set *set, CUgraphNode node);
void node_set_add_all(struct node_set *set, const struct node_set *others);
void node_set_clear(struct node_set *set);

#endif

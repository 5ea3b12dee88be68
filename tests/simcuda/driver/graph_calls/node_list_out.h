/*
 * node_list_out.h - fill the lists of nodes that calls return.
 */
#ifndef SIMCUDA_NODE_LIST_OUT_H
#define SIMCUDA_NODE_LIST_OUT_H

#include "objects.h"

/* CUDA's convention for lists: NULL asks for the length, and spare elements become NULL. */
struct node_list_out {
	CUgraphNode *nodes;
	size_t room, count;
};

static inline void node_list_give(struct node_list_out *out, CUgraphNode node)
{
	if (out->nodes && out->count < out->room)
		out->nodes[out->count] = node;
	out->count++;
}

static inline void node_list_finish(const struct node_list_out *out, size_t *out_count)
{
	if (!out->nodes) {
		*out_count = out->count;
		return;
	}
	for (size_t i = out->count; i < out->room; i++)
		out->nodes[i] = NULL;
	if (out->count < *out_count)
		*out_count = out->count;
}

#endif

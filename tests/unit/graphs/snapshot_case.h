/*
 * snapshot_case.h - the tables of graphs, and a graph that the driver lists, for the test of the
 * rows that are written of it.
 */
#ifndef CULPRIT_TESTS_SNAPSHOT_CASE_H
#define CULPRIT_TESTS_SNAPSHOT_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/objects/functions.h"

enum {
	SNAPSHOT_ROWS = 64,
	SNAPSHOT_NODES = 32,
	SNAPSHOT_NO_KERNEL = 0x990, /* a handle without a function */
};

extern struct snapshot_case {
	struct graph_row graphs[SNAPSHOT_ROWS]; /* by id */
	struct graph_node_row nodes[SNAPSHOT_ROWS];
	uint32_t n_graphs, n_nodes;
	uint32_t n_graph_room, n_room; /* how many rows fit */
	/* The driver's answers. */
	CUgraphNodeType types[SNAPSHOT_NODES];
	uint32_t n;
	uint32_t flags;      /* enum graph_flags */
	uint32_t parameters; /* bits of nodes, as the following */
	uint32_t updatable;
	uint32_t cooperative;
	size_t argument_size, argument_copied;
} snapshot_case;

extern struct function_cache snapshot_cache;

/* Return the handle of the node with this index. */
CUgraphNode snapshot_node(uint32_t index);

/* Return the parameters of a kernel, which has a shape of its own. */
CUDA_KERNEL_NODE_PARAMS snapshot_params(uint32_t kernel);

#endif

/*
 * graph_snapshot.h - the nodes of executable graphs as rows of the journal: written when a graph is
 * instantiated, changed when the application changes a node of it.
 *
 * Whoever owns the executable graph calls these, one at a time, as the driver demands of its users
 * ("graph objects are not threadsafe"); two threads that break this leave wrong rows, no more.
 */
#ifndef CULPRIT_RECORD_GRAPH_SNAPSHOT_H
#define CULPRIT_RECORD_GRAPH_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"

struct function_cache;

/* An executable graph's rows. All zero: none. */
struct graph_snapshot {
	uint64_t number;  /* of the row */
	uint32_t row;     /* id in graphs, 0 none */
	uint32_t version; /* of its nodes now */
	uint32_t cursor;  /* row behind the node that was changed last: the next one's, mostly */
	bool is_launched; /* atomic: a launch has this version, a change makes a new one */
};

/* Writes the rows of a graph that was just instantiated. Calls the driver. Slot owner only. */
struct graph_snapshot graph_snapshot_take(struct function_cache *functions, CUgraph graph,
					  CUgraphExec exec, uint32_t stack);

/*
 * Markers follow the graph's kernels: one behind every interval-th. Nothing is known of them yet.
 * The owner of the graph, before it is launched.
 */
void graph_snapshot_mark(const struct graph_snapshot *snapshot, uint32_t interval,
			 uint32_t n_markers, bool is_linear);

/* So many of the markers have come. Whoever keeps the rows from being dropped meanwhile. */
void graph_snapshot_set_marked(const struct graph_snapshot *snapshot, uint32_t marked);

/* The graph is gone or has new rows: these last for a while, then are used again. Any thread. */
void graph_snapshot_drop(struct graph_snapshot *snapshot);

/* A kernel node of the graph was given these parameters. Calls the driver. Slot owner only. */
void graph_snapshot_set_kernel(struct function_cache *functions, struct graph_snapshot *snapshot,
			       CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);

void graph_snapshot_set_enabled(struct graph_snapshot *snapshot, CUgraphNode node, bool is_enabled);

/* Something of the graph was changed that its rows will not show. Any thread. */
void graph_snapshot_distrust(const struct graph_snapshot *snapshot);

#endif

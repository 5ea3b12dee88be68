/*
 * graph_snapshot.h - the nodes of executable graphs as rows of the journal, written when a graph is
 * instantiated and changed when the application changes a node.
 *
 * The executable graph's owner calls these, one at a time, as the driver requires ("graph objects
 * are not threadsafe"). Two threads that break this can only cause wrong rows.
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
	uint32_t row;     /* id in graphs, 0: none */
	uint32_t version; /* the present one of its nodes */
	uint32_t cursor;  /* row after the last changed node, usually the next one to change */
	bool is_launched; /* atomic: a launch has this version; a change makes a new one */
};

/* Write the rows of a graph that was just instantiated. Calls the driver. Slot owner only. */
struct graph_snapshot graph_snapshot_take(struct function_cache *functions, CUgraph graph,
					  CUgraphExec exec, uint32_t stack);

/*
 * Note the markers after every interval-th kernel, before any has landed. The graph's owner, before
 * it is launched.
 */
void graph_snapshot_mark(const struct graph_snapshot *snapshot, uint32_t interval,
			 uint32_t n_markers, bool is_linear);

/* Note that the kernels were launched in that context, for code_addresses.h. The graph's owner. */
void graph_snapshot_note_code(const struct graph_snapshot *snapshot, CUcontext context);

/* Note how many markers have landed. The caller keeps the rows from being dropped meanwhile. */
void graph_snapshot_set_marked(const struct graph_snapshot *snapshot, uint32_t marked);

/* The graph was destroyed or has new rows: these last for a while, then are reused. Any thread. */
void graph_snapshot_drop(struct graph_snapshot *snapshot);

/* Note a kernel node's new parameters. Calls the driver. Slot owner only. */
void graph_snapshot_set_kernel(struct function_cache *functions, struct graph_snapshot *snapshot,
			       CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);

void graph_snapshot_set_enabled(struct graph_snapshot *snapshot, CUgraphNode node, bool is_enabled);

/* Return the stack of the call that instantiated or updated the graph, 0: unknown. Any thread. */
uint32_t graph_snapshot_stack(const struct graph_snapshot *snapshot);

/* Note that launches run a copy of the graph that has checks between its nodes. Any thread. */
void graph_snapshot_note_checks(const struct graph_snapshot *snapshot);

/* Note a change to the graph that its rows will not show. Any thread. */
void graph_snapshot_distrust(const struct graph_snapshot *snapshot);

#endif

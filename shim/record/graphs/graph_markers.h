/*
 * graph_markers.h - how far the GPU is within a graph. After every n-th kernel, a node on a branch
 * of its own writes how many of these nodes have run, to a word that the host can read.
 *
 * The nodes form a chain whose first one writes 0. Launches of one executable graph run one after
 * another, and each waits for the whole one before it. So a number between the first and the last
 * is of the running launch, and that many of its marked kernels are finished. The last number may
 * be of that launch or of the one before, so it proves nothing.
 *
 * The application's nodes do not wait for ours, so the graph runs as before, except for the cost.
 * On an H200 (driver 580.159) 200 small kernels take 198 us, with a write after each 633 us, with
 * one after every 16th 199 us.
 *
 * The nodes are in the application's graph only while it is instantiated, or an executable graph is
 * updated from it. The application can notice only the time that this takes.
 */
#ifndef CULPRIT_RECORD_GRAPH_MARKERS_H
#define CULPRIT_RECORD_GRAPH_MARKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "record/graphs/graph_nodes.h"

struct context;

/* The word of one executable graph. All zero: it has none. */
struct graph_word {
	const struct context *context; /* owner of its memory */
	volatile uint32_t *word;
	CUdeviceptr device_word;
	uint32_t n_markers; /* the last number */
};

/* The nodes added to a graph. */
struct graph_marking {
	struct node_list added;
	uint32_t n_markers;
	bool is_linear; /* each node of the graph waits until the one before it has finished */
};

/* Set the interval: a marker after every n-th kernel; 0: none. Start-up only. */
void graph_markers_start(uint32_t wanted);

/* Return the interval, 0 if no markers are wanted. Any thread. */
uint32_t graph_markers_interval(void);

/*
 * Assign a word in the current context to a future executable graph; false: none is left. A word is
 * never reused: the GPU may still run a graph that was destroyed. Calls the driver. Any thread.
 */
bool graph_markers_equip(struct graph_word *out);

/*
 * Add markers that write to this word to a graph. False: the graph is unchanged, because it needs
 * none, or may not have any (it has memory, conditional or device-updatable nodes, or kernels of
 * another context). Calls the driver; the graph's owner only.
 */
bool graph_markers_add(CUgraph graph, CUdeviceptr word, struct graph_marking *out);

/* Remove them again. As above. */
void graph_markers_remove(struct graph_marking *marking);

#endif

/*
 * graph_markers.h - how far the GPU has come within a graph: behind every so many-th kernel a node
 * on a branch of its own writes how many of these nodes have run, to a word that the host can read.
 *
 * The nodes stand in a chain that begins with one that writes 0. As launches of one executable
 * graph follow each other, and each waits for the whole of the one before it, a word that shows a
 * number between is of the launch that runs, and so many marked kernels of it are finished. The
 * last number is of that launch or of the one before: it tells nothing.
 *
 * No node of the application waits for one of ours, so the graph runs as before but for the cost:
 * on an H200 (driver 580.159) 200 small kernels take 198 us, with a write behind each 633 us, with
 * one behind every 16th 199 us.
 *
 * The nodes are in the application's graph only while it is instantiated, or an executable graph
 * updated from it. What the application can see of them is the time this takes.
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
	const struct context *context; /* whose memory it lies in */
	volatile uint32_t *word;
	CUdeviceptr device_word;
	uint32_t n_markers; /* the last number */
};

/* The nodes that were put into a graph. */
struct graph_marking {
	struct node_list added;
	uint32_t n_markers;
	bool is_linear; /* each node of the graph waits for the one before it, to its end */
};

/* Start-up only. A marker behind every interval-th kernel; 0: none. */
void graph_markers_start(uint32_t wanted);

/* The interval, 0 when none are wanted. Any thread. */
uint32_t graph_markers_interval(void);

/*
 * Gives an executable graph to be a word in the current context; false: there is none. A word is
 * never given again: the GPU may still run a graph that was destroyed. Calls the driver. Any
 * thread.
 */
bool graph_markers_equip(struct graph_word *out);

/*
 * Puts markers into a graph that write to this word. False: the graph is none that may have some
 * (it holds memory, conditional or device-updatable nodes, or kernels of another context), or none
 * was needed; then it is as it was. Calls the driver; the graph's owner only.
 */
bool graph_markers_add(CUgraph graph, CUdeviceptr word, struct graph_marking *out);

/* Takes them out again. As above. */
void graph_markers_remove(struct graph_marking *marking);

#endif

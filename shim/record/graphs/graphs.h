/*
 * graphs.h - the application's executable graphs: how often each was launched, and which rows of
 * the journal hold its nodes.
 */
#ifndef CULPRIT_RECORD_GRAPHS_H
#define CULPRIT_RECORD_GRAPHS_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/graphs/graph_markers.h"

struct function_cache;
struct graph_snapshot;

/*
 * The graph was instantiated as `exec`, or `exec` was updated from it as a whole; `stack` is the
 * call's. Calls the driver: no lock held. Slot owner only.
 */
void graphs_made(struct function_cache *functions, CUgraphExec exec, CUgraph graph, uint32_t stack);

/*
 * The graph is being launched: fill in *out except for the handle. replay counts from 1; 0 without
 * memory. Any thread.
 */
void graphs_launched(CUgraphExec exec, struct record_graph *out);

/* The driver refused the launch, so that it does not count as a replay. Any thread. */
void graphs_refused(CUgraphExec exec);

/* Return the rows of the graph's nodes, to change them; NULL: none. The graph's owner only. */
struct graph_snapshot *graphs_snapshot(CUgraphExec exec);

/*
 * Add markers to an executable graph whose rows are written: the nodes of `marking`, added to the
 * graph that it was made from, write to `word`. As graphs_made().
 */
void graphs_marked(CUgraphExec exec, const struct graph_word *word,
		   const struct graph_marking *marking);

/* Return the word of an executable graph; all zero: it has no markers. As graphs_made(). */
struct graph_word graphs_word(CUgraphExec exec);

/*
 * Return the markers that an update of the executable graph added to the other graph, from before
 * the driver's call until after it; NULL: the executable graph is unknown. As graphs_made().
 */
struct graph_marking *graphs_update_marking(CUgraphExec exec);

/*
 * Copy every graph's word into its row, for the last time: later values do not show the moment of
 * the failure. The failure only, no lock held.
 */
void graphs_copy_words_for_good(void);

/* Forget the words of a context's graphs before the context is forgotten. Any thread. */
void graphs_context_destroyed(const struct context *context);

/* Forget a graph that is about to be destroyed; its handle may be reused. Any thread. */
void graphs_destroyed(CUgraphExec exec);

#endif

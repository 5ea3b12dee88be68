/*
 * graphs.h - the application's executable graphs: how often each was launched, and which rows of
 * the journal hold its nodes.
 */
#ifndef CULPRIT_RECORD_GRAPHS_H
#define CULPRIT_RECORD_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/graphs/graph_markers.h"

struct function_cache;
struct graph_snapshot;

/*
 * The graph was instantiated as `exec`, or `exec` updated from it as a whole; `stack` is the
 * call's. Calls the driver: no lock held. Slot owner only.
 */
void graphs_made(struct function_cache *functions, CUgraphExec exec, CUgraph graph, uint32_t stack);

/*
 * The graph is being launched: fills in *out but for the handle. replay counts from 1; 0 without
 * memory. Any thread.
 */
void graphs_launched(CUgraphExec exec, struct record_graph *out);

/* The rows of the graph's nodes, to change them; NULL: none. The caller as the driver demands. */
struct graph_snapshot *graphs_snapshot(CUgraphExec exec);

/*
 * Gives an executable graph whose rows are written markers: what `marking` put into the graph that
 * it was made from writes to `word`. As graphs_made.
 */
void graphs_marked(CUgraphExec exec, const struct graph_word *word,
		   const struct graph_marking *marking);

/* The word of an executable graph with markers; all zero: it has none. As graphs_made. */
struct graph_word graphs_word(CUgraphExec exec);

/*
 * What an update of the executable graph has put into the other graph, from before the driver's
 * call until after it; NULL: nothing is known of the executable. As graphs_made.
 */
struct graph_marking *graphs_update_marking(CUgraphExec exec);

/*
 * Copies what every graph's word shows into its row, for the last time: what lands later is not of
 * the moment of the failure. The failure only, no lock held.
 */
void graphs_copy_words_for_good(void);

/* A context is about to be forgotten: its graphs' words are, too. Any thread. */
void graphs_context_destroyed(const struct context *context);

/* The graph is about to be destroyed; its handle may come back. Any thread. */
void graphs_destroyed(CUgraphExec exec);

#endif

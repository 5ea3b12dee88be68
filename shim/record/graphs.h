/*
 * graphs.h - the application's executable graphs: how often each was launched, and which rows of
 * the journal hold its nodes.
 */
#ifndef CULPRIT_RECORD_GRAPHS_H
#define CULPRIT_RECORD_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"
#include "journal_format.h"

struct graph_snapshot;
struct thread;

/*
 * The graph was instantiated as `exec`, or `exec` updated from it as a whole; `stack` is the
 * call's. Calls the driver: no lock held. Slot owner only.
 */
void graphs_made(struct thread *thread, CUgraphExec exec, CUgraph graph, uint32_t stack);

/*
 * The graph is being launched: fills in *out but for the handle. replay counts from 1; 0 without
 * memory. Any thread.
 */
void graphs_launched(CUgraphExec exec, struct record_graph *out);

/* The rows of the graph's nodes, to change them; NULL: none. The caller as the driver demands. */
struct graph_snapshot *graphs_snapshot(CUgraphExec exec);

/* The graph is about to be destroyed; its handle may come back. Any thread. */
void graphs_destroyed(CUgraphExec exec);

#endif

/*
 * graphs.h - how often each executable graph was launched.
 */
#ifndef CULPRIT_RECORD_GRAPHS_H
#define CULPRIT_RECORD_GRAPHS_H

#include <stdint.h>

#include "cuda_api.h"

/* The number of this launch of the graph, from 1; 0 without memory. Any thread. */
uint64_t graphs_next_replay(CUgraphExec graph);

/* The graph is about to be destroyed; its handle may come back. Any thread. */
void graphs_destroyed(CUgraphExec graph);

#endif

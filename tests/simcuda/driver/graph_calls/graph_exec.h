/*
 * graph_exec.h - an executable graph. All: lock held.
 */
#ifndef SIMCUDA_GRAPH_EXEC_H
#define SIMCUDA_GRAPH_EXEC_H

#include <stdbool.h>

#include "graphs/graph_run.h"
#include "objects.h"

/*
 * Launches run `plan`. `source` is the same graph in its other form, for captures that add a launch
 * as a child. Its nodes have the plan's order, and their `original` is the plan's `origin`.
 */
struct CUgraphExec_st {
	struct graph_plan *plan;
	CUgraph source;
	cuuint64_t flags;
	uint64_t n_launches;
	struct completion *last; /* of the newest launch, or NULL: launches run one at a time */
};

bool graph_exec_is_live(CUgraphExec exec);

#endif

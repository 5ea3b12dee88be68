/*
 * graph_exec.h - an executable graph. All: lock held.
 */
#ifndef SIMCUDA_GRAPH_EXEC_H
#define SIMCUDA_GRAPH_EXEC_H

#include <stdbool.h>

#include "graphs/graph_run.h"
#include "objects.h"

/*
 * plan is what launches run by. source is the same as a graph, for captures that take a launch as a
 * child; its nodes come in the plan's order, and their original is the plan's origin.
 */
struct CUgraphExec_st {
	struct graph_plan *plan;
	CUgraph source;
	cuuint64_t flags;
	uint64_t n_launches;
	struct completion *last; /* the newest launch, or NULL: launches of one graph take turns */
};

bool graph_exec_is_live(CUgraphExec exec);

#endif

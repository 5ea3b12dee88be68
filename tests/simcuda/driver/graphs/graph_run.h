/*
 * graph_run.h - one execution of an instantiated graph, as the work of one queued operation. All:
 * lock held.
 */
#ifndef SIMCUDA_GRAPH_RUN_H
#define SIMCUDA_GRAPH_RUN_H

#include "objects.h"
#include "work/work.h"

/* A node of an instantiated graph. */
struct plan_node {
	CUgraphNode origin; /* the handle by which updates name it; never followed */
	CUgraphNodeType type;
	struct work work;         /* WORK_EMPTY for a child graph */
	struct graph_plan *child; /* NULL: none */
	bool is_disabled;
	size_t n_dependencies;
	size_t *dependents; /* indexes of nodes that depend on it */
	size_t n_dependents;
};

/*
 * An instantiated graph. Never changed while a run has it: an update makes a new plan.
 */
struct graph_plan {
	unsigned n_references;
	size_t n_nodes;
	struct plan_node *nodes;
};

/* n_missing[i] is how many dependencies of node i are unfinished, SIZE_MAX once it is done. */
struct graph_run {
	struct compound compound; /* first: a run is one */
	struct graph_plan *plan;
	struct work *works; /* of each node: this run's own copy */
	size_t *n_missing;
	size_t n_left;
	struct completion *before; /* the run of the same graph before this one, or NULL */
	struct completion *finished;
};

/* Work of the kind WORK_GRAPH; one step runs one node. before and finished become the run's; both
 * may be NULL. */
struct compound *graph_run_create(struct graph_plan *plan, uint64_t replay,
				  struct completion *before, struct completion *finished);

struct graph_plan *graph_plan_reference(struct graph_plan *plan);
/* Accepts NULL. */
void graph_plan_release(struct graph_plan *plan);

#endif

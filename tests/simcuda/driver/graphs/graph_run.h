/*
 * graph_run.h - one execution of an instantiated graph, as the work of one queued operation. All:
 * lock held.
 */
#ifndef SIMCUDA_GRAPH_RUN_H
#define SIMCUDA_GRAPH_RUN_H

#include "objects.h"
#include "work/work.h"

/* An edge to a node that waits. */
struct plan_edge {
	unsigned to;          /* index */
	unsigned may_overlap; /* a programmatic launch: it may run beside the node before it */
};

/* A node of an instantiated graph. */
struct plan_node {
	CUgraphNode origin; /* the handle that updates use; never dereferenced */
	CUgraphNodeType type;
	struct work work;         /* WORK_EMPTY for a child graph */
	struct graph_plan *child; /* or NULL */
	bool is_disabled;
	size_t n_dependencies;
	struct plan_edge *dependents; /* nodes that depend on it */
	size_t n_dependents;
};

/* An instantiated graph. An update makes a new plan, because runs may use the old one. */
struct graph_plan {
	unsigned n_references;
	size_t n_nodes;
	struct plan_node *nodes;
};

/* One run. n_missing[i] is the number of unfinished dependencies of node i, SIZE_MAX if done. */
struct graph_run {
	struct compound compound; /* first, so that a run can be used as a compound */
	struct graph_plan *plan;
	struct work *works; /* of each node, copied for this run */
	size_t *n_missing;
	size_t n_left;
	struct completion *before; /* of the previous run of the same graph, or NULL */
	struct completion *finished;
};

/*
 * Create a run, for work of the kind WORK_GRAPH; each step runs one node. Takes ownership of
 * `before` and `finished`, which may be NULL.
 */
struct compound *graph_run_create(struct graph_plan *plan, uint64_t replay,
				  struct completion *before, struct completion *finished);

struct graph_plan *graph_plan_reference(struct graph_plan *plan);
/* Accepts NULL. */
void graph_plan_release(struct graph_plan *plan);

#endif

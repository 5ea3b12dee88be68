/*
 * checked_graph.h - a copy of a graph with checking kernels around chosen kernel nodes, and the
 * instance made of it.
 *
 * The copy is culprit's own, so the program's graph stays as it is. A check before a kernel waits
 * for what the kernel waits for, and the kernel waits for the check. A check after it waits for the
 * kernel, and all that waited for the kernel waits for the check as well. Where one kernel alone
 * follows another, one check between the two serves both (node_checks.h). No order of the program's
 * is lost: edges of programmatic launches there become ordinary ones.
 */
#ifndef CULPRIT_GRAPH_CHECKS_CHECKED_GRAPH_H
#define CULPRIT_GRAPH_CHECKS_CHECKED_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "check/check.h"
#include "graph_checks/node_checks.h"

struct driver;

/* Which kernels have checks. */
struct check_choice {
	bool (*is_chosen)(CUfunction kernel); /* calls the driver; within a call of this thread */
	struct check_mode mode;
};

/* All zero: none. */
struct checked_graph {
	CUgraph copy;
	CUgraphExec instance;
	struct check_context *context; /* of the checks */
	CUcontext owner;               /* the current context, when it was made */
	uint32_t owner_id;             /* of its row: another context may get its handle */
	uint64_t generation;           /* ranges_generation() before the ranges were listed */
	struct checked_node *nodes;
	uint32_t n_nodes;
	uint32_t n_checked; /* kernels with checks */
	uint32_t version;   /* newest one of a node's list */
	uint32_t cursor;    /* after the last node found */
	struct check_mode mode;
	uint64_t counter; /* scratch of the check that counts runs; 0: each check does */
	bool is_linear;   /* each node waits for the one before */
	size_t bytes;
};

/* Set the driver to call, without culprit's replacements. Start-up only. */
void checked_graph_start(const struct driver *driver);

/*
 * Make a checked copy of the graph and instantiate it with these flags. Returns NULL on
 * success, otherwise the reason; "" if no kernel was chosen. Calls the driver: no lock held. Slot
 * owner only.
 */
const char *checked_graph_make(CUgraph graph, unsigned long long flags,
			       const struct check_choice *choice, struct checked_graph *out);

/* True if a context that was seen with this id still lives. Any thread. */
bool checked_graph_has_owner(CUcontext owner, uint32_t owner_id);

/*
 * Destroy the copy, the instance and the list; the driver has destroyed the first two with their
 * context. The answers stay. Calls the driver: no lock held.
 */
void checked_graph_destroy(struct checked_graph *checked);

/* Return the node of this handle; NULL: unknown. */
struct checked_node *checked_graph_find(struct checked_graph *checked, CUgraphNode node);

/*
 * Make a copy of `graph` with the same checks at the same places as the graph below `holder` (NULL:
 * the whole) has. Their ranges are those of the new kernels. NULL: not possible. The caller
 * destroys it.
 */
CUgraph checked_graph_imitate(struct checked_graph *checked, struct checked_node *holder,
			      CUgraph graph);

/*
 * Set a kernel's checks in the instance to the ranges of these parameters. False: refused. Calls
 * the driver: no lock held.
 */
bool checked_graph_set_ranges(struct checked_graph *checked, struct checked_node *node,
			      const CUDA_KERNEL_NODE_PARAMS *params);

/* Set them to the ranges that were not freed. False: refused. Calls the driver: no lock held. */
bool checked_graph_drop_freed(const struct checked_graph *checked, struct checked_node *node);

#endif

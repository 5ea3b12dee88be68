/*
 * check_nodes.h - put checking kernels into a graph of ours, before and after a node.
 *
 * Edges of programmatic launches to the node, and to all that waits for it, become ordinary ones:
 * the order is stronger. A kernel may still ask for what it waits for (griddepcontrol.wait).
 */
#ifndef CULPRIT_GRAPH_CHECKS_CHECK_NODES_H
#define CULPRIT_GRAPH_CHECKS_CHECK_NODES_H

#include <stdbool.h>

#include "base/check_format.h"
#include "base/cuda_api.h"

/*
 * Add a check that waits for what the node waits for; the node waits for the check. Add all checks
 * before nodes first: later, nodes wait for checks as well. NULL: refused; edges may have changed.
 * Calls the driver: no lock held. Any thread.
 */
CUgraphNode check_nodes_add_before(CUgraph graph, CUgraphNode node, CUfunction check,
				   struct check_order *order);

/*
 * Add a check that waits for the node; all that waits for the node waits for the check. NULL:
 * refused; edges may have changed. Calls the driver: no lock held. Any thread.
 */
CUgraphNode check_nodes_add_after(CUgraph graph, CUgraphNode node, CUfunction check,
				  struct check_order *order);

/*
 * Change a check in an instance; `node` is the check's in the graph that was instantiated. False:
 * refused. Calls the driver: no lock held. Any thread.
 */
bool check_nodes_set(CUgraphExec instance, CUgraphNode node, CUfunction check,
		     struct check_order *order);

#endif

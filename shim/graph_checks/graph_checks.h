/*
 * graph_checks.h - check what chosen kernels in graphs read and write.
 *
 * When a graph is instantiated, a copy of it with checking kernels is instantiated as well, and is
 * launched in its place. The functions here replace the driver's in the driver's table. So programs
 * that ask for no checks pay nothing.
 */
#ifndef CULPRIT_GRAPH_CHECKS_GRAPH_CHECKS_H
#define CULPRIT_GRAPH_CHECKS_GRAPH_CHECKS_H

#include "graph_checks/checked_graph.h"

/*
 * Check the wanted kernels. `has_last`: also write the newest values when a graph ends. Start-up
 * only, when the driver's table is filled, and once.
 */
void graph_checks_start(const struct check_choice *wanted, bool has_last);

/*
 * Write what was found so far, and no more. At the failure, before its verdict: the process may be
 * killed by it. Or at exit. Any thread.
 */
void graph_checks_finish(void);

#endif

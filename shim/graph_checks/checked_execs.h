/*
 * checked_execs.h - the program's executable graphs that have a checked instance, and those that
 * were left alone.
 *
 * The program keeps its own instance, which gets all of its calls. The checked one is launched in
 * its place, and follows each change. Where it cannot follow, it is given up, and the program's own
 * instance is launched from then on. So results and return codes are the driver's for the program's
 * own graph.
 */
#ifndef CULPRIT_GRAPH_CHECKS_CHECKED_EXECS_H
#define CULPRIT_GRAPH_CHECKS_CHECKED_EXECS_H

#include "graph_checks/checked_exec.h"

/* Set the driver to call. Start-up only. */
void checked_execs_start(const struct driver *driver);

/* Return the graph of that handle; NULL: it has no checks, and nothing is to be said. Any thread.
 */
struct checked_exec *checked_execs_find(CUgraphExec exec);

/*
 * Note a new executable graph. `made` is its checked copy. If the graph has no copy, `made` is all
 * zero and `reason` says why. On failure the copy is destroyed. Calls the driver: no lock held. Any
 * thread.
 */
void checked_execs_add(CUgraphExec exec, struct checked_graph *made, const char *reason);

/*
 * Return the instance to launch instead of `exec`. Reports what earlier replays found. Calls the
 * driver, as the graph's owner.
 */
CUgraphExec checked_exec_begin_launch(struct checked_exec *checked, CUgraphExec exec,
				      CUstream stream);

/* The checked instance was launched. Calls the driver, as the graph's owner. */
void checked_exec_launched(struct checked_exec *checked, CUstream stream);

/* The graph is about to change: report what its launches found so far. The graph's owner. */
void checked_exec_before_change(struct checked_exec *checked);

/*
 * Lists of nodes newer than `version` have changed. Drop what replays before that found in them and
 * what is not reported yet. Findings of other nodes stay. The graph's owner.
 */
void checked_exec_after_change(struct checked_exec *checked, uint32_t version);

/*
 * Launch the program's own instance from now on, for that reason. Calls the driver, as the graph's
 * owner.
 */
void checked_exec_give_up(struct checked_exec *checked, const char *reason);

/* The program's instance is being destroyed: forget the graph. Calls the driver, as its owner. */
void checked_execs_remove(CUgraphExec exec);

/* Report what was found so far in all graphs, once. Does not call the driver. Any thread. */
void checked_execs_finish(void);

#endif

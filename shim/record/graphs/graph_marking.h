/*
 * graph_marking.h - markers within graphs (CULPRIT_GRAPH_MARKERS; see graph_markers.h): put into a
 * graph for as long as it is instantiated, or an executable graph updated from it.
 */
#ifndef CULPRIT_RECORD_GRAPH_MARKING_H
#define CULPRIT_RECORD_GRAPH_MARKING_H

#include "record/graphs/graph_markers.h"

/*
 * The graph was instantiated as *exec with these flags: if markers are wanted and possible, *exec
 * becomes another instance that has them, before the application has seen the first. graphs_marked
 * is to be told of what is given, if *out_marking has markers. Calls the driver: no lock held.
 */
void graph_marking_instantiated(CUgraphExec *exec, CUgraph graph, unsigned long long flags,
				struct graph_word *out_word, struct graph_marking *out_marking);

/* An executable graph is about to be updated from this graph; and was, or was not. As above. */
void graph_marking_before_update(CUgraphExec exec, CUgraph graph);
void graph_marking_after_update(CUgraphExec exec);

/*
 * An update of the executable graph may have told the application this node: NULL takes its place
 * if it is a marker's. Reads nothing where the update had no markers. Before
 * graph_marking_after_update.
 */
void graph_marking_hide_node(CUgraphExec exec, CUgraphNode *node);

#endif

/*
 * graph_marking.h - markers within graphs (CULPRIT_GRAPH_MARKERS; see graph_markers.h). A graph has
 * them only while it is instantiated, or while an executable graph is updated from it.
 */
#ifndef CULPRIT_RECORD_GRAPH_MARKING_H
#define CULPRIT_RECORD_GRAPH_MARKING_H

#include "record/graphs/graph_markers.h"

/*
 * The graph was instantiated as *exec with these flags. If markers are wanted and possible, replace
 * *exec by an instance that has them, before the application sees the first. If *out_marking has
 * markers, pass the results to graphs_marked(). Calls the driver: no lock held.
 */
void graph_marking_instantiated(CUgraphExec *exec, CUgraph graph, unsigned long long flags,
				struct graph_word *out_word, struct graph_marking *out_marking);

/* Call these before and after an update of an executable graph from this graph. As above. */
void graph_marking_before_update(CUgraphExec exec, CUgraph graph);
void graph_marking_after_update(CUgraphExec exec);

/*
 * Set a node that an update of the executable graph reported to NULL if it is a marker's. Reads
 * nothing if the update had no markers. Before graph_marking_after_update().
 */
void graph_marking_hide_node(CUgraphExec exec, CUgraphNode *node);

#endif

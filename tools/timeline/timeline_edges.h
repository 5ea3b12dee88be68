/*
 * timeline_edges.h - turn event waits into edges between submissions. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_EDGES_H
#define CULPRIT_TOOLS_TIMELINE_EDGES_H

#include "timeline/timeline_builder.h"

/* Fill the timeline's edges from the builder's waits. Return 0 or -ENOMEM. */
int timeline_edges_find(struct timeline_builder *builder);

#endif

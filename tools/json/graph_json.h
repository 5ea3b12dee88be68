/*
 * graph_json.h - a launched graph as JSON.
 */
#ifndef CULPRIT_TOOLS_GRAPH_JSON_H
#define CULPRIT_TOOLS_GRAPH_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return the graph that `record` launched as GRAPH, or null for other kinds of work. */
json_t *graph_to_json(const struct analysis *analysis, const struct journal_record *record);

#endif

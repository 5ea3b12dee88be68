/*
 * coredump_json.h - the contents of a GPU core dump as JSON.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_JSON_H
#define CULPRIT_TOOLS_COREDUMP_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return the report's "coredump" member: null if there is no core dump. */
json_t *coredump_to_json(const struct analysis *analysis);

#endif

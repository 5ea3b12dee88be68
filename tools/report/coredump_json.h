/*
 * coredump_json.h - what a core dump says, as JSON.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_JSON_H
#define CULPRIT_TOOLS_COREDUMP_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/* The "coredump" of a report; null without one. */
json_t *coredump_to_json(const struct analysis *analysis);

#endif

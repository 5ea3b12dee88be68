/*
 * process_json.h - the bundle's process as JSON.
 */
#ifndef CULPRIT_TOOLS_PROCESS_JSON_H
#define CULPRIT_TOOLS_PROCESS_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/* PROCESS of report_json.h, null where nothing is known of it. A new reference, NULL: no memory. */
json_t *process_to_json(const struct analysis *analysis);

/* The wall-clock time at a moment of CLOCK_MONOTONIC in the process, null where it is not known. */
json_t *process_moment_to_json(const struct analysis *analysis, uint64_t monotonic_ns);

#endif

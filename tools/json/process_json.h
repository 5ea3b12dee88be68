/*
 * process_json.h - the bundle's process as JSON.
 */
#ifndef CULPRIT_TOOLS_PROCESS_JSON_H
#define CULPRIT_TOOLS_PROCESS_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return PROCESS of report_json.h as a new reference: null if unknown, NULL if out of memory. */
json_t *process_to_json(const struct analysis *analysis);

/* Convert a time of the process's CLOCK_MONOTONIC to wall-clock TIME; null if unknown. */
json_t *process_moment_to_json(const struct analysis *analysis, uint64_t monotonic_ns);

#endif

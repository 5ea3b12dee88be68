/*
 * rows_json.h - tables of the journal as JSON: calls that the driver refused, and what it said of
 * the fault.
 */
#ifndef CULPRIT_TOOLS_ROWS_JSON_H
#define CULPRIT_TOOLS_ROWS_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return an array of REFUSAL (see report_json.h), or NULL if out of memory. */
json_t *rows_refusals_to_json(const struct analysis *analysis);

/* Return the object "fault", null if the driver said nothing, or NULL if out of memory. */
json_t *rows_fault_to_json(const struct analysis *analysis);

#endif

/*
 * refusals_json.h - calls that the driver refused, and why, as JSON.
 */
#ifndef CULPRIT_TOOLS_REFUSALS_JSON_H
#define CULPRIT_TOOLS_REFUSALS_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return an array of REFUSAL (see report_json.h), or NULL if out of memory. */
json_t *refusals_to_json(const struct analysis *analysis);

#endif

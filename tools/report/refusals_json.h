/*
 * refusals_json.h - calls that the driver refused, and why, as report_json.h describes them.
 */
#ifndef CULPRIT_TOOLS_REFUSALS_JSON_H
#define CULPRIT_TOOLS_REFUSALS_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/* [REFUSAL]; NULL without memory. */
json_t *refusals_to_json(const struct analysis *analysis);

#endif

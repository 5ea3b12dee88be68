/*
 * suspect_json.h - suspects and groups of suspects as JSON.
 */
#ifndef CULPRIT_TOOLS_SUSPECT_JSON_H
#define CULPRIT_TOOLS_SUSPECT_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return a SUSPECT of report_json.h. */
json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect);

/* Return an array of GROUP: every group that the verdict lists. */
json_t *suspect_groups_to_json(const struct analysis *analysis);

#endif

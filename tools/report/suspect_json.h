/*
 * suspect_json.h - one suspect as JSON, and their groups.
 */
#ifndef CULPRIT_TOOLS_SUSPECT_JSON_H
#define CULPRIT_TOOLS_SUSPECT_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect);

/* Every group of suspects that the verdict lists. */
json_t *suspect_groups_to_json(const struct analysis *analysis);

#endif

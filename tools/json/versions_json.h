/*
 * versions_json.h - the versions of CUDA in a report.
 */
#ifndef CULPRIT_TOOLS_VERSIONS_JSON_H
#define CULPRIT_TOOLS_VERSIONS_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/*
 * Return the "versions" member of report_json.h as a new reference, or NULL if out of memory.
 */
json_t *versions_to_json(const struct analysis *analysis);

#endif

/*
 * versions_json.h - the versions of CUDA in a report.
 */
#ifndef CULPRIT_TOOLS_VERSIONS_JSON_H
#define CULPRIT_TOOLS_VERSIONS_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/*
 * {"driver", "runtimes": [{"module", "version"}], "untried": [text]}: as report_json.h says. A new
 * reference, or NULL.
 */
json_t *versions_to_json(const struct analysis *analysis);

#endif

/*
 * nvtx_json.h - the NVTX ranges of a suspect as JSON.
 */
#ifndef CULPRIT_TOOLS_NVTX_JSON_H
#define CULPRIT_TOOLS_NVTX_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/* An object with the members about NVTX that a suspect has. */
json_t *nvtx_to_json(const struct analysis *analysis, const struct submission *suspect);

#endif

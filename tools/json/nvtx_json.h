/*
 * nvtx_json.h - the NVTX ranges of a suspect as JSON.
 */
#ifndef CULPRIT_TOOLS_NVTX_JSON_H
#define CULPRIT_TOOLS_NVTX_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return an object with the members "nvtx" and "nvtx_unkept" of a SUSPECT. */
json_t *nvtx_to_json(const struct analysis *analysis, const struct submission *suspect);

#endif

/*
 * ranks_json.h - what one process is to the others of its job: see JOB in status_json.h.
 */
#ifndef CULPRIT_TOOLS_RANKS_JSON_H
#define CULPRIT_TOOLS_RANKS_JSON_H

#include <jansson.h>

#include "status/ranks.h"

/* Of the process in row `own`. NULL: no memory. */
json_t *ranks_to_json(const struct ranks *ranks, size_t own, const struct rank_findings *findings);

#endif

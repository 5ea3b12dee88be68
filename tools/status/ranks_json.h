/*
 * ranks_json.h - one process's part in its job as JSON: the object JOB of status_json.h.
 */
#ifndef CULPRIT_TOOLS_RANKS_JSON_H
#define CULPRIT_TOOLS_RANKS_JSON_H

#include <jansson.h>

#include "status/ranks.h"

/* Return a new JOB object for the process ranks->rows[own]; NULL if out of memory. */
json_t *ranks_to_json(const struct ranks *ranks, size_t own, const struct rank_findings *findings);

#endif

/*
 * job_json.h - what a job's report says on top, for the report of each of its processes: see JOB in
 * report_json.h.
 */
#ifndef CULPRIT_TOOLS_JOB_JSON_H
#define CULPRIT_TOOLS_JOB_JSON_H

#include <jansson.h>

#include "job/job.h"

/* After job_decide() said true. `own` is one of its ranks. NULL: no memory. */
json_t *job_to_json(const struct job *job, const struct job_rank *own);

#endif

/*
 * job_json.h - the heading of a job's report as JSON, for the report of each of its processes: see
 * JOB in report_json.h.
 */
#ifndef CULPRIT_TOOLS_JOB_JSON_H
#define CULPRIT_TOOLS_JOB_JSON_H

#include <jansson.h>

#include "job/job.h"

/*
 * Call it after job_decide() returned true. `own` is one of the job's ranks. NULL: out of memory.
 */
json_t *job_to_json(const struct job *job, const struct job_rank *own);

#endif

/*
 * trace_host.h - add the threads' tracks: a slice for each recorded call, with its stack. The time
 * at which a submission was called is measured. The time at which its call returned is not.
 */
#ifndef CULPRIT_TOOLS_TRACE_HOST_H
#define CULPRIT_TOOLS_TRACE_HOST_H

#include "trace/trace_job.h"

void trace_host(const struct trace_job *job);

#endif

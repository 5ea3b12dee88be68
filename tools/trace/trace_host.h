/*
 * trace_host.h - the threads of the process: a slice for each recorded call, with its stack. When a
 * submission was called is measured; when its call returned is not, unless another call followed.
 */
#ifndef CULPRIT_TOOLS_TRACE_HOST_H
#define CULPRIT_TOOLS_TRACE_HOST_H

#include "trace/trace_job.h"

void trace_host(const struct trace_job *job);

#endif

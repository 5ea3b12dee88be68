/*
 * trace_gpu.h - add the streams' tracks: a slice for each submission. It is drawn from the earliest
 * time at which the work can have started, and no longer than it can have lasted. It has no end if
 * the work is not known to have finished.
 */
#ifndef CULPRIT_TOOLS_TRACE_GPU_H
#define CULPRIT_TOOLS_TRACE_GPU_H

#include "trace/trace_job.h"

/* Return 0 or -ENOMEM. */
int trace_gpu(const struct trace_job *job);

#endif

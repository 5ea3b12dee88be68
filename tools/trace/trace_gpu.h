/*
 * trace_gpu.h - the lanes of the GPU: a slice for each submission, drawn as early as it can have
 * begun and not longer than it can have lasted; without end where no end is known to be reached.
 */
#ifndef CULPRIT_TOOLS_TRACE_GPU_H
#define CULPRIT_TOOLS_TRACE_GPU_H

#include "trace/trace_job.h"

/* 0 or -ENOMEM. */
int trace_gpu(const struct trace_job *job);

#endif

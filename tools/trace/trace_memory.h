/*
 * trace_memory.h - add counters of the bytes that the process held, one for each kind of memory.
 */
#ifndef CULPRIT_TOOLS_TRACE_MEMORY_H
#define CULPRIT_TOOLS_TRACE_MEMORY_H

#include "trace/trace_job.h"

/*
 * Add a counter for each kind of memory that was allocated. A journal keeps only the newest freed
 * allocations, so the counters start where all live memory is known. Return 0 or -ENOMEM.
 */
int trace_memory(const struct trace_job *job);

#endif

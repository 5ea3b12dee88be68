/*
 * trace_memory.h - how many bytes of each kind of memory the process held.
 */
#ifndef CULPRIT_TOOLS_TRACE_MEMORY_H
#define CULPRIT_TOOLS_TRACE_MEMORY_H

#include "trace/trace_job.h"

/*
 * A counter for each kind that there was. Of memory that was freed only the newest is in a journal:
 * the counters begin where nothing that lived is missing. 0 or -ENOMEM.
 */
int trace_memory(const struct trace_job *job);

#endif

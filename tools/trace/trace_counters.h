/*
 * trace_counters.h - how much work each stream had that was not known to be finished.
 */
#ifndef CULPRIT_TOOLS_TRACE_COUNTERS_H
#define CULPRIT_TOOLS_TRACE_COUNTERS_H

#include "trace/trace_job.h"

void trace_counters(const struct trace_job *job);

#endif

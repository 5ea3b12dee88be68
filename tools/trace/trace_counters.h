/*
 * trace_counters.h - add a counter for each stream: its submissions not known to be finished.
 */
#ifndef CULPRIT_TOOLS_TRACE_COUNTERS_H
#define CULPRIT_TOOLS_TRACE_COUNTERS_H

#include "trace/trace_job.h"

void trace_counters(const struct trace_job *job);

#endif

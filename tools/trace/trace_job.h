/*
 * trace_job.h - the input and output of the functions that each write one part of a trace.
 */
#ifndef CULPRIT_TOOLS_TRACE_JOB_H
#define CULPRIT_TOOLS_TRACE_JOB_H

#include "analysis/analysis.h"
#include "timeline/thread_index.h"
#include "timeline/timeline_times.h"
#include "trace/trace_event.h"

struct trace_job {
	const struct analysis *analysis;
	const struct timeline *timeline;
	const struct timeline_times *times;
	const struct thread_index *threads;
	struct trace_sink sink;
};

enum { TRACE_TEXT_SIZE = 1024 };

/* A call or work whose end is not known is drawn this long. */
enum { TRACE_DRAWN_NS = 1000 };

/* The numbers of arrows: from a submission's call to its GPU work, and of the waits of streams. */
static inline uint64_t trace_flow_of_submission(uint64_t sequence)
{
	return sequence << 1;
}

static inline uint64_t trace_flow_of_edge(uint64_t index)
{
	return index << 1 | 1;
}

#endif

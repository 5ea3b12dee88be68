/*
 * trace_job.h - what a trace is made from and where it goes, for those who fill a part of it.
 */
#ifndef CULPRIT_TOOLS_TRACE_JOB_H
#define CULPRIT_TOOLS_TRACE_JOB_H

#include "bundle/analysis.h"
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

/* How long a call or piece of work is drawn of whose end nothing is known. */
enum { TRACE_DRAWN_NS = 1000 };

/* Its call and the work of the GPU, joined by an arrow; and the waits between streams. */
static inline uint64_t trace_flow_of_submission(uint64_t sequence)
{
	return sequence << 1;
}

static inline uint64_t trace_flow_of_edge(uint64_t index)
{
	return index << 1 | 1;
}

#endif

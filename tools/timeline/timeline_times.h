/*
 * timeline_times.h - what is known of when the GPU worked on each submission. A journal has no GPU
 * times. It has the host's time of the call; the work's start and end are bounded by calls that
 * returned, by the order of streams and by the verdict.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_TIMES_H
#define CULPRIT_TOOLS_TIMELINE_TIMES_H

#include "timeline/timeline_model.h"
#include "timeline/timeline_syncs.h"

/* Bounds in ns of CLOCK_MONOTONIC; 0: there is no such bound. */
struct timeline_span {
	uint64_t started_after_ns; /* started no earlier than its call and earlier work's bounds */
	uint64_t started_by_ns;    /* started by this time */
	uint64_t finished_by_ns;   /* finished by this time */
};

struct timeline_times {
	struct timeline_span *spans; /* one for each of the timeline's works */
	size_t *order;    /* indexes of works by lane, then ordinal; unknown ordinals first */
	uint64_t seen_ns; /* time that the states are of: the failure, or the newest record */
	struct timeline_syncs syncs;
};

/* Return 0, and the caller releases *out, or -ENOMEM, and *out is empty. */
int timeline_times_find(const struct timeline *timeline, const struct verdict *verdict,
			struct timeline_times *out);
void timeline_times_free(struct timeline_times *times);

/* True if an exact or likely verdict names this submission. */
bool timeline_is_culprit(const struct verdict *verdict, const struct timeline_work *work);

#endif

/*
 * timeline_times.h - what is known of when the GPU worked on each submission. No time of the GPU is
 * in a journal: the moment of the call is measured, by the host's clock; begin and end of the work
 * lie between bounds, where calls that returned, the order of streams and the verdict give any.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_TIMES_H
#define CULPRIT_TOOLS_TIMELINE_TIMES_H

#include "timeline/timeline_model.h"
#include "timeline/timeline_syncs.h"

/* Nanoseconds of CLOCK_MONOTONIC; 0: there is no such bound. */
struct timeline_span {
	uint64_t begun_after_ns; /* never before this: its own call, and those in front of it */
	uint64_t begun_by_ns;    /* at the latest then */
	uint64_t ended_by_ns;
};

struct timeline_times {
	struct timeline_span *spans; /* of each of the timeline's works */
	size_t *order;    /* the works' indices by lane, then ordinal: unknown ones first */
	uint64_t seen_ns; /* the moment that states are of: the failure, or the newest record */
	struct timeline_syncs syncs;
};

/* 0, and *out is to be freed; -ENOMEM, and it is empty. */
int timeline_times_find(const struct timeline *timeline, const struct verdict *verdict,
			struct timeline_times *out);
void timeline_times_free(struct timeline_times *times);

/* Is this the one that an exact or likely verdict names? */
bool timeline_is_culprit(const struct verdict *verdict, const struct timeline_work *work);

#endif

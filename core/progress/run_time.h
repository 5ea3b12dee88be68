/*
 * run_time.h - how long a kernel can have run, and how long earlier launches of it took. Both are
 * upper bounds: from the submission until a call that waited for the launch returned.
 */
#ifndef CULPRIT_PROGRESS_RUN_TIME_H
#define CULPRIT_PROGRESS_RUN_TIME_H

#include <stdint.h>

#include "view/bundle_view.h"

struct run_time {
	uint64_t longest_ns; /* from its submission to `end_ns` */
	uint32_t n_earlier;  /* number of its newest earlier launches that a call waited for */
	uint64_t earlier_ns; /* the longest time of one of these launches */
};

/* Return the times for a launch that had not finished at `end_ns` (CLOCK_MONOTONIC). Any thread. */
struct run_time run_time_of(const struct bundle_view *view, const struct journal_record *launch,
			    uint64_t end_ns);

#endif

/*
 * run_time.h - how long a kernel can have run, and what earlier launches of it took: by when they
 * were submitted, and when a call that waited for them returned. Both are upper bounds.
 */
#ifndef CULPRIT_VERDICT_RUN_TIME_H
#define CULPRIT_VERDICT_RUN_TIME_H

#include <stdint.h>

#include "verdict/view/bundle_view.h"

struct run_time {
	uint64_t longest_ns; /* from its submission to `end_ns` */
	uint32_t n_earlier;  /* of its newest earlier launches, those that were waited for */
	uint64_t earlier_ns; /* the most that one of these took */
};

/* Of a launch that had not finished at `end_ns` (CLOCK_MONOTONIC). Any thread. */
struct run_time run_time_of(const struct bundle_view *view, const struct journal_record *launch,
			    uint64_t end_ns);

#endif

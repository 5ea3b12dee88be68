/*
 * progress_checks.h - check the driver's notes of a stream's newest submission.
 */
#ifndef CULPRIT_RECORD_PROGRESS_CHECKS_H
#define CULPRIT_RECORD_PROGRESS_CHECKS_H

#include <stdint.h>

#include "record/progress/progress_tracker.h"

/* Check that the counters agree that everything up to `ordinal` is finished. Any thread. */
void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal);

#endif

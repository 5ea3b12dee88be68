/*
 * progress_checks.h - the driver's words of a stream's newest submission held against the truth.
 */
#ifndef CULPRIT_RECORD_PROGRESS_CHECKS_H
#define CULPRIT_RECORD_PROGRESS_CHECKS_H

#include <stdint.h>

#include "record/progress/progress_tracker.h"

/* Everything up to `ordinal` is finished: are the words of one mind with that? Any thread. */
void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal);

#endif

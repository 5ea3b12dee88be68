/*
 * time_clues.h - clear kernels that the GPU started after it had noticed the fault: rule 17 of
 * attribution.h. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_TIME_CLUES_H
#define CULPRIT_VERDICT_TIME_CLUES_H

#include "fault/fault_story.h"
#include "progress/progress.h"

/*
 * Mark such open work as elsewhere, and as later than the fault. Without a story of memory faults
 * alone, or without their times, this has no effect.
 */
void time_mark_work(struct progress *progress, const struct fault_story *story);

#endif

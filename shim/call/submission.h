/*
 * submission.h - the stage of calls that queue work: number it, journal it with its stack and
 * arguments, and let a marker follow it.
 */
#ifndef CULPRIT_CALL_SUBMISSION_H
#define CULPRIT_CALL_SUBMISSION_H

#include <stdint.h>

#include "call.h"

/*
 * before: takes the stream's lock, which after gives back: what lies between is the driver's call.
 * Slot owner only.
 */
void submission_before(struct call *call);
void submission_after(struct call *call, CUresult result);

/* The newest submission number of the process. Any thread. */
uint64_t submission_newest(void);

#endif

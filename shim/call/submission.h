/*
 * submission.h - the stage of calls that queue work: number the work, journal it with its stack,
 * and let a marker follow it. Kernel launches are in launch.h.
 */
#ifndef CULPRIT_CALL_SUBMISSION_H
#define CULPRIT_CALL_SUBMISSION_H

#include "call/call_state.h"

/*
 * submission_before() takes the stream's lock and submission_after() releases it; the driver's call
 * comes between. Slot owner only.
 */
void submission_before(struct call *call);
void submission_after(struct call *call, CUresult result);

/* The same for copies, which may wait for the GPU: the lock is open during the driver's call. */
void copy_before(struct call *call);
void copy_after(struct call *call, CUresult result);

/*
 * Journal the submission once more, as a rejection to be explained: the driver rejected it with an
 * error that is not a failure of the GPU. After submission_after(), for a call with a row. Slot
 * owner only.
 */
void submission_refused(const struct call *call, CUresult result);

#endif

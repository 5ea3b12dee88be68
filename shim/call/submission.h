/*
 * submission.h - the stage of calls that queue work: number it, journal it with its stack, and let
 * a marker follow it. Kernels' launches: see launch.h.
 */
#ifndef CULPRIT_CALL_SUBMISSION_H
#define CULPRIT_CALL_SUBMISSION_H

#include "call/call_state.h"

/*
 * before: takes the stream's lock, which after gives back: what lies between is the driver's call.
 * Slot owner only.
 */
void submission_before(struct call *call);
void submission_after(struct call *call, CUresult result);

/* The same for copies, which may wait for the GPU: the driver is called without the lock. */
void copy_before(struct call *call);
void copy_after(struct call *call, CUresult result);

/*
 * The driver refused the submission with an error that is no failure of the GPU: the journal gets
 * it once more, as a rejection, to be explained. After submission_after, of a call with a row. Slot
 * owner only.
 */
void submission_refused(const struct call *call, CUresult result);

#endif

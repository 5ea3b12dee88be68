/*
 * waits.h - the call that a thread is in, told to whoever looks into the process: of those that may
 * wait for the GPU. Submissions tell it by their record, which has no result yet.
 */
#ifndef CULPRIT_CALL_WAITS_H
#define CULPRIT_CALL_WAITS_H

#include "call/call_state.h"

/*
 * To be told before the driver has the call, after its stage, and when it has returned. A thread
 * that left the call otherwise is told of by its next one. Slot owner only.
 */
void waits_begin(struct call *call);
void waits_end(const struct call *call);

#endif

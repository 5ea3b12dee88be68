/*
 * waits.h - publish the call that a thread is in, for snapshots, if that call may wait for the GPU.
 * Submissions publish theirs by their record, which has no result yet.
 */
#ifndef CULPRIT_CALL_WAITS_H
#define CULPRIT_CALL_WAITS_H

#include "call/call_state.h"

/*
 * Begin after the call's stage and before the driver's call; end when the driver has returned. If a
 * thread leaves the call otherwise, its row changes at its next such call. Slot owner only.
 */
void waits_begin(struct call *call);
void waits_end(const struct call *call);

#endif

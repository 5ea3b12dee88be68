/*
 * call.h - the pipeline that every recorded call runs through: the one interface between the entry
 * points, which know how a call reaches us, and the stages, which know what it means.
 */
#ifndef CULPRIT_CALL_CALL_H
#define CULPRIT_CALL_CALL_H

#include <stdbool.h>

#include "call/call_state.h"

/*
 * Before the driver is called, of all roles but ROLE_LAUNCH, of which launch.h is. false: pass the
 * call through and do not call call_leave (it came from inside another call of this thread, or
 * nothing is being recorded). Any thread.
 */
bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame);

/* After the driver returned RESULT: returns what the application shall see. Any thread. */
CUresult call_leave(struct call *call, CUresult result);

/*
 * Is the success that a call has returned in doubt? Of a call that is not recorded call_failed then
 * tells the result. Any thread.
 */
bool call_is_doubted(enum driver_call id);

/* A call that is not recorded returned another result than success. As call_leave. Any thread. */
CUresult call_failed(enum driver_call id, CUresult result, void *frame);

#endif

/*
 * call.h - the pipeline that every recorded call runs through. With call_scope_failed() it is the
 * one interface between the entry points, which know how a call reaches us, and the stages, which
 * know what it means.
 */
#ifndef CULPRIT_CALL_CALL_H
#define CULPRIT_CALL_CALL_H

#include <stdbool.h>

#include "call/call_state.h"

/*
 * Run the stage before the driver's call, for all roles except ROLE_LAUNCH (see launch_enter()). If
 * it returns false, pass the call through and do not call call_leave(): the call came from inside
 * another call of this thread, or nothing is being recorded. Any thread.
 */
bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame);

/* Handle the driver's RESULT; returns the result for the application. Any thread. */
CUresult call_leave(struct call *call, CUresult result);

/*
 * True if the success that a call returned is in doubt. An unrecorded call then gets its result
 * from call_scope_failed(). Any thread.
 */
bool call_is_doubted(enum driver_call id);

/*
 * call_enter() and call_leave() for kernel launches. A program may make thousands of launches a
 * second, so launch.c inlines everything that each launch needs.
 */
bool launch_enter(struct call *call, enum driver_call id, const void *args, void *frame);
CUresult launch_leave(struct call *call, CUresult result);

#endif

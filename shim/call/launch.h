/*
 * launch.h - call_enter() and call_leave() for kernel launches. A program may make thousands of
 * launches a second, so everything that each of them needs is inlined.
 */
#ifndef CULPRIT_CALL_LAUNCH_H
#define CULPRIT_CALL_LAUNCH_H

#include <stdbool.h>

#include "call/call_state.h"

bool launch_enter(struct call *call, enum driver_call id, const void *args, void *frame);
CUresult launch_leave(struct call *call, CUresult result);

#endif

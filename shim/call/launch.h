/*
 * launch.h - call_enter() and call_leave() of kernels' launches, which cost a program with
 * thousands of them a second: all that each of them needs, in line.
 */
#ifndef CULPRIT_CALL_LAUNCH_H
#define CULPRIT_CALL_LAUNCH_H

#include <stdbool.h>

#include "call/call_state.h"

bool launch_enter(struct call *call, enum driver_call id, const void *args, void *frame);
CUresult launch_leave(struct call *call, CUresult result);

#endif

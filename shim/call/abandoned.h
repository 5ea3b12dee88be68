/*
 * abandoned.h - calls that do not come back. A program may leave the driver by siglongjmp, by an
 * exception, or by the end of its thread; the thread is then no longer inside culprit, though no
 * one has said so.
 */
#ifndef CULPRIT_CALL_ABANDONED_H
#define CULPRIT_CALL_ABANDONED_H

#include <stdbool.h>

#include "call/call_state.h"

/*
 * Was the visit that the calling thread is in (thread_visit) left without a return? Asked by an
 * entry point with its own call, whose frame is set. Where it is not certain: no. Keeps errno.
 */
bool abandoned_is_visit(const struct call *entered);

#endif

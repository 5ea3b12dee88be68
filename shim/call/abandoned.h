/*
 * abandoned.h - calls that never return. A program may leave the driver by siglongjmp, by an
 * exception or by the end of its thread. The thread has then left culprit without a notice.
 */
#ifndef CULPRIT_CALL_ABANDONED_H
#define CULPRIT_CALL_ABANDONED_H

#include <stdbool.h>

#include "call/call_state.h"

/*
 * True if the recorded call that this thread is in (thread_visit) was left without a return. An
 * entry point asks with its own call, whose frame is set. False if in doubt. Keeps errno.
 */
bool abandoned_is_visit(const struct call *entered);

#endif

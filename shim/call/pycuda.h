/*
 * pycuda.h - explain PyCUDA's own abort(). PyCUDA mirrors the driver's stack of contexts. If a
 * thread or the process ends with a context still on it, PyCUDA's extension calls abort(). Its
 * message does not say which context, or why, so culprit prints a line before it.
 */
#ifndef CULPRIT_CALL_PYCUDA_H
#define CULPRIT_CALL_PYCUDA_H

#include <stdbool.h>

#include "call/call_state.h"

struct context;

/*
 * Run after a successful call about contexts. Remembers PyCUDA's extension if it made the call, and
 * the context that is now current in this thread (NULL: none). Slot owner only.
 */
void pycuda_context_call(const struct call *call, struct context *current);

/*
 * Code at `caller` calls abort(). If it is PyCUDA's and a context is current in this thread, print
 * the line and return true. Otherwise return false without taking a lock or calling anything,
 * because abort() may come from anywhere. Any thread.
 */
bool pycuda_aborts(const void *caller);

#endif

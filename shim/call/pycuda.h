/*
 * pycuda.h - the abort() that is PyCUDA's own. PyCUDA mirrors the driver's stack of contexts; when
 * a thread or the process ends with a context still on it, its extension calls abort(). Which
 * context, and why, its message does not tell: we do, in a line before.
 */
#ifndef CULPRIT_CALL_PYCUDA_H
#define CULPRIT_CALL_PYCUDA_H

#include <stdbool.h>

#include "call/call_state.h"

struct context;

/*
 * After a successful call about contexts: remembers PyCUDA's extension where it made the call, and
 * which context is current in this thread now (NULL: none). Slot owner only.
 */
void pycuda_context_call(const struct call *call, struct context *current);

/*
 * Code at `caller` calls abort(). If that is PyCUDA's, and a context is current in this thread, the
 * line is printed and the answer is true. Else nothing is done, no lock taken and nothing called:
 * abort() may come from anywhere. Any thread.
 */
bool pycuda_aborts(const void *caller);

#endif

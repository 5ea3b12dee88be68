/*
 * context_stages.h - the stages of calls that make, change or end contexts.
 */
#ifndef CULPRIT_CALL_CONTEXT_STAGES_H
#define CULPRIT_CALL_CONTEXT_STAGES_H

#include "call/call_state.h"

/* Find the context that the call may end, while its handle is still valid. Slot owner only. */
void context_before(struct call *call);

/* Note the contexts that a successful call has made or ended. Slot owner only. */
void context_after(struct call *call, CUresult result);

#endif

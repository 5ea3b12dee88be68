/*
 * context_stages.h - the stages of calls that make, change or end contexts.
 */
#ifndef CULPRIT_CALL_CONTEXT_STAGES_H
#define CULPRIT_CALL_CONTEXT_STAGES_H

#include "call/call_state.h"

/* Finds the context that the call may end, before its handle is nobody's. Slot owner only. */
void context_before(struct call *call);

/* What a successful call has made known, or ended. Slot owner only. */
void context_after(struct call *call, CUresult result);

#endif

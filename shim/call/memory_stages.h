/*
 * memory_stages.h - the stages of calls that make memory usable by the GPU and give it back.
 */
#ifndef CULPRIT_CALL_MEMORY_STAGES_H
#define CULPRIT_CALL_MEMORY_STAGES_H

#include "call/call_state.h"

/* The journal gets the range that a successful call has made. Slot owner only. */
void memory_alloc_after(struct call *call, CUresult result);

/*
 * The range is about to go: before the driver frees it, since afterwards the address may at once be
 * another thread's. Slot owner only.
 */
void memory_free_before(struct call *call);

/* A free that the driver refused, as it does while a stream captures, has freed nothing. As above.
 */
void memory_free_after(struct call *call, CUresult result);

/* This call has ended a context (its id in contexts): with it went its memory. Slot owner only. */
void memory_context_ended(const struct call *call, uint32_t context);

#endif

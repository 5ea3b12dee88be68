/*
 * memory_stages.h - the stages of calls that make memory usable by the GPU, or release it.
 */
#ifndef CULPRIT_CALL_MEMORY_STAGES_H
#define CULPRIT_CALL_MEMORY_STAGES_H

#include "call/call_state.h"

/* Journal the range that a successful call has made. Slot owner only. */
void memory_alloc_after(struct call *call, CUresult result);

/*
 * Note the range before the driver frees it: afterwards another thread may get the same address at
 * once. Slot owner only.
 */
void memory_free_before(struct call *call);

/* Keep the range if the driver rejected the free, as it does during capture. Slot owner only. */
void memory_free_after(struct call *call, CUresult result);

/* Note the end of a context (its id in contexts), and so of its memory, by this call. Slot owner
 * only. */
void memory_context_ended(const struct call *call, uint32_t context);

#endif

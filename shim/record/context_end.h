/*
 * context_end.h - update what culprit knows when a context is destroyed: its streams, what their
 * markers and its graphs' markers show, its green contexts. Its memory is left to the caller.
 */
#ifndef CULPRIT_RECORD_CONTEXT_END_H
#define CULPRIT_RECORD_CONTEXT_END_H

#include <stdint.h>

#include "base/cuda_api.h"

/*
 * The thread with this id is about to destroy the context, which other threads may be using. Wait
 * for those threads; from then on culprit neither reads nor submits anything in the context. Return
 * the id of the context whose modules end, with those of its green contexts: the last green context
 * may end its primary one. 0: not known, and nothing was done. Call without a lock. Any thread.
 */
uint32_t context_ending(CUcontext handle, uint32_t tid);

/* The context was not destroyed after all. Any thread. */
void context_not_ended(CUcontext handle);

/*
 * The thread with this id has destroyed the context and its green contexts, or may have: forget
 * what is known of it. Return its id in the journal, 0 if it was unknown or has no memory of its
 * own. Takes the locks of the contexts' list, of each context and of graphs, one after the other:
 * call without a lock.
 */
uint32_t context_end(CUcontext handle, uint32_t tid);

#endif

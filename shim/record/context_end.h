/*
 * context_end.h - a context is destroyed: what becomes of its streams, of what their markers and
 * its graphs' markers show, and of its green contexts. Its memory is left to who calls.
 */
#ifndef CULPRIT_RECORD_CONTEXT_END_H
#define CULPRIT_RECORD_CONTEXT_END_H

#include <stdint.h>

#include "base/cuda_api.h"

/*
 * A thread (of this id) is about to destroy the context, which other threads may be using: they are
 * waited for, and from then on nothing is read or sent in it for culprit's sake. Unknown ones, and
 * NULL, are none. No lock held. Any thread.
 */
void context_ending(CUcontext handle, uint32_t tid);

/* It was not destroyed after all. Any thread. */
void context_not_ended(CUcontext handle);

/*
 * The context was destroyed (or may have been: then what is known of it is forgotten), and its
 * green ones with it. Its id in the journal; 0 if it was not known or has no memory of its own.
 * Takes the locks of the contexts' list, of each context and of graphs, one after the other: no
 * lock held. By the thread of this id.
 */
uint32_t context_end(CUcontext handle, uint32_t tid);

#endif

/*
 * active.h - the streams that have operations, and what keeps a stream alive. All: lock held.
 */
#ifndef SIMCUDA_ACTIVE_H
#define SIMCUDA_ACTIVE_H

#include "objects.h"
#include "work/operation.h"

void stream_reference(CUstream stream);
/* The last one gives the stream back. */
void stream_release(CUstream stream);

/* The stream that became active first, the others by next_active; NULL: there is none. */
CUstream active_first(void);

/* The stream has got its first operation, or has none left. An active stream is referenced. */
void active_add(CUstream stream);
void active_remove(CUstream stream);

/*
 * A programmatic launch that may start now although the kernel before it runs; NULL. Between the
 * two may be records of events only. Lock held.
 */
struct operation *active_find_early(CUstream stream);

#endif

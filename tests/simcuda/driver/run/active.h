/*
 * active.h - the list of streams with operations, and references to streams. All: lock held.
 */
#ifndef SIMCUDA_ACTIVE_H
#define SIMCUDA_ACTIVE_H

#include "objects.h"
#include "work/operation.h"

/* Add and drop a reference; dropping the last one frees the stream. */
void stream_reference(CUstream stream);
void stream_release(CUstream stream);

/* Return the stream that became active first, or NULL; others follow by next_active. */
CUstream active_first(void);

/* Add a stream with its first operation, remove it after its last. The list holds a reference. */
void active_add(CUstream stream);
void active_remove(CUstream stream);

/*
 * Return a programmatic launch that may start while the kernel before it runs, or NULL. Only event
 * records may be between the two.
 */
struct operation *active_find_early(CUstream stream);

#endif

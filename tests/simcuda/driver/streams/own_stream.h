/*
 * own_stream.h - per-thread default streams. A thread has one in each context in which it has used
 * one; they end with the thread. All: lock held.
 */
#ifndef SIMCUDA_OWN_STREAM_H
#define SIMCUDA_OWN_STREAM_H

#include "objects.h"

/* Return the calling thread's stream in the context, or NULL. */
CUstream own_stream_find(CUcontext context);

/* Make a new stream the calling thread's own. */
void own_stream_add(CUstream stream);

/* Remove a stream from its thread's list, if it is in one. */
void own_stream_forget(CUstream stream);

#endif

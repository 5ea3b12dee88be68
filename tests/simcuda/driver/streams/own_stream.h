/*
 * own_stream.h - threads' own default streams: each thread has one in each context in which it
 * asked for it, until it ends. All: lock held.
 */
#ifndef SIMCUDA_OWN_STREAM_H
#define SIMCUDA_OWN_STREAM_H

#include "objects.h"

/* The calling thread's; NULL: it has none there. */
CUstream own_stream_find(CUcontext context);

/* A new one, from now on the calling thread's. */
void own_stream_add(CUstream stream);

/* It goes before its thread does, or was never one. */
void own_stream_forget(CUstream stream);

#endif

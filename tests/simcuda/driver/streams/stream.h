/*
 * stream.h - from the handle that a call was given to the stream that it means. All: lock held.
 */
#ifndef SIMCUDA_STREAM_H
#define SIMCUDA_STREAM_H

#include "objects.h"
#include "work/work.h"

CUstream stream_create(CUcontext context, enum stream_kind kind, unsigned flags, int priority);

/* Null and the two reserved handles, in the current context; CUDA_ERROR_INVALID_HANDLE. */
CUresult stream_resolve(CUstream handle, CUstream *out_stream);

/* As above; refuses what an operation on it may not do beside a capture. */
CUresult stream_resolve_for_work(CUstream handle, CUstream *out_stream);

/* Queues the work on that stream, or captures it. Takes ownership of the work in any case. */
CUresult stream_submit(CUstream handle, struct work *work);

#endif

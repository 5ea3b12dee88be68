/*
 * stream.h - create streams, resolve stream handles, and submit work. All: lock held.
 */
#ifndef SIMCUDA_STREAM_H
#define SIMCUDA_STREAM_H

#include "objects.h"
#include "work/work.h"

CUstream stream_create(CUcontext context, enum stream_kind kind, unsigned flags, int priority);

/*
 * Find the stream of a handle; NULL and the two reserved handles mean streams of the current
 * context. Return CUDA_ERROR_INVALID_HANDLE for invalid handles.
 */
CUresult stream_resolve(CUstream handle, CUstream *out_stream);

/* The same for submitting work; fails if that conflicts with a capture. */
CUresult stream_resolve_for_work(CUstream handle, CUstream *out_stream);

/* Queue or capture the work on that stream. Takes ownership of it, also after an error. */
CUresult stream_submit(CUstream handle, struct work *work);

#endif

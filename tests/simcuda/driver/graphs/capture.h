/*
 * capture.h - add the work of capturing streams to their graphs. All: lock held.
 */
#ifndef SIMCUDA_CAPTURE_H
#define SIMCUDA_CAPTURE_H

#include "objects.h"
#include "work/work.h"

/* Add the work to the capturing stream's graph. Takes ownership of it, also after an error. */
CUresult capture_add(CUstream stream, struct work *work);

/* Invalidate the capture, if any, of a stream that is destroyed. */
void capture_abandon_stream(CUstream stream);

#endif

/*
 * capture.h - streams that record their operations into a graph instead of running them. All: lock
 * held.
 */
#ifndef SIMCUDA_CAPTURE_H
#define SIMCUDA_CAPTURE_H

#include "objects.h"
#include "work/work.h"

/* Hands the work to the capturing stream's graph, which takes ownership of it in any case. */
CUresult capture_add(CUstream stream, struct work *work);

/* The stream is destroyed: its capture cannot be completed. Harmless if it has none. */
void capture_abandon_stream(CUstream stream);

#endif

/*
 * held_waits.h - event waits of a context, which streams created later must make too. All: lock
 * held.
 */
#ifndef SIMCUDA_HELD_WAITS_H
#define SIMCUDA_HELD_WAITS_H

#include "objects.h"
#include "work/work.h"

/* Make every future stream of the context start with this wait, which is copied. */
void held_waits_add(CUcontext context, const struct work *wait);

/* Start a new stream with the waits of its context. */
void held_waits_begin(CUstream stream);

#endif

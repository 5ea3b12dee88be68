/*
 * held_waits.h - waits for events that streams to come will have to make too. All: lock held.
 */
#ifndef SIMCUDA_HELD_WAITS_H
#define SIMCUDA_HELD_WAITS_H

#include "objects.h"
#include "work/work.h"

/* Every stream that the context will have waits for that first. Keeps a copy. */
void held_waits_add(CUcontext context, const struct work *wait);

/* A new stream: it begins with the waits that its context was given. */
void held_waits_begin(CUstream stream);

#endif

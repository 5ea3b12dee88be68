/*
 * in_bounds.h - copies, memsets and operations on one value in memory that touch only allocated
 * memory of their own context: they cannot have met an illegal address.
 *
 * Only memory counts whose mapping the driver keeps while work uses it: cuMemAlloc's, since
 * cuMemFree waits for that work, and pinned host memory. It must be of the stream's own context,
 * made before the call, and not freed before the moment. Managed, mapped, stream-ordered and
 * foreign memory may vanish while the work runs. Shapes of several rows are not examined.
 *
 * A device that cannot reach pageable memory touches none of it in a copy from or to the host. The
 * call itself copies it to or from memory of the driver's (CUDA driver API, "API synchronization
 * behavior"), and an unmapped address ends the process. Memory is pageable under three conditions:
 * - The call takes it for the host's by the call's name (HtoD, DtoH).
 * - It was mapped at the moment, by no device.
 * - The driver does not know it: it shares no byte with memory recorded at the call.
 */
#ifndef CULPRIT_PROGRESS_IN_BOUNDS_H
#define CULPRIT_PROGRESS_IN_BOUNDS_H

#include "progress/progress.h"

enum { IN_BOUNDS_MAX = 32 };

/*
 * If the moment's code is one of addresses, mark the strict suspects that are such work and cannot
 * have raised it, among the first IN_BOUNDS_MAX. It reads the memory's rows once, and only if there
 * is such a suspect. Call this after limits_find().
 */
void in_bounds_mark(struct progress *progress);

#endif

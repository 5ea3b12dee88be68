/*
 * contained.h - copies, memsets and operations on one value in memory that touch nothing but memory
 * that was theirs to touch, all of it allocated: they cannot have met an illegal address.
 *
 * Counts only memory whose mapping the driver keeps until what uses it is over: cuMemAlloc's, for
 * whose end cuMemFree waits, and pinned host memory, of the stream's own context, made before the
 * call and not given back before the moment. Managed, mapped, stream-ordered and foreign memory may
 * go under the work; shapes of several rows are not looked at.
 *
 * Pageable memory, the other side of a copy from or to the host, the GPU touches nothing of where
 * the device cannot come to it: there the call itself brings it to memory of the driver's, or from
 * there (CUDA driver API, "API synchronization behavior"), and an address that is nobody's ends the
 * process. Pageable is what the call takes for the host's by its name (HtoD, DtoH), what was mapped
 * at the moment, by no device, and what the driver was never told of: no row of memory that was
 * there at the call shares a byte with it.
 */
#ifndef CULPRIT_VERDICT_CONTAINED_H
#define CULPRIT_VERDICT_CONTAINED_H

#include "verdict/progress/progress.h"

enum { CONTAINED_MAX = 32 };

/*
 * Marks of the strict suspects that are such work those that cannot have raised the
 * moment's code, if it is one of addresses: of the first CONTAINED_MAX. One walk over the rows of
 * memory, and none where there is no such suspect. After limits_find.
 */
void contained_mark(struct progress *progress);

#endif

/*
 * contained.h - copies, memsets and operations on one value in memory that touch nothing but memory
 * that was theirs to touch, all of it allocated: they cannot have met an illegal address.
 *
 * Counts only memory whose mapping the driver keeps until what uses it is over: cuMemAlloc's, for
 * whose end cuMemFree waits, and pinned host memory, of the stream's own context, made before the
 * call and not given back before the moment. Managed, mapped, stream-ordered and foreign memory may
 * go under the work; pageable memory is the operating system's; shapes of several rows are not
 * looked at.
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

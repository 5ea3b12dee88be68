/*
 * exhaustion.h - an allocation that the driver refused for want of memory: kept in mind, and
 * told at the end of a process that did not get over it.
 */
#ifndef CULPRIT_FAILURE_EXHAUSTION_H
#define CULPRIT_FAILURE_EXHAUSTION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/objects/ranges.h"

extern __attribute__((visibility("hidden"))) bool exhaustion_is_open; /* atomic */

/*
 * Of so many bytes on the device of that ordinal (-1: the current context's); asks the driver what
 * is free. No lock held. Any thread.
 */
void exhaustion_met(uint64_t bytes, int device, const struct range_origin *origin);

/* An allocation of so many bytes was granted: the program got over what was no larger. */
void exhaustion_granted(uint64_t bytes);
static inline void exhaustion_note_granted(uint64_t bytes)
{
	if (__atomic_load_n(&exhaustion_is_open, __ATOMIC_RELAXED))
		exhaustion_granted(bytes);
}

/*
 * The process ends. If its last refused allocation was never followed by one as large, nor by any
 * work for the GPU, says what was asked for, what was free, and who held the rest.
 */
void exhaustion_tell(void);

#endif

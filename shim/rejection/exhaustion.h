/*
 * exhaustion.h - the newest allocation that the driver refused for want of memory. It is kept in
 * the journal for the end of a process that did not recover from it.
 */
#ifndef CULPRIT_REFUSAL_EXHAUSTION_H
#define CULPRIT_REFUSAL_EXHAUSTION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/objects/ranges.h"

extern __attribute__((visibility("hidden"))) bool exhaustion_is_open; /* atomic */

/*
 * Keep what was asked for, what is free and who holds the rest: of so many bytes on the device of
 * that ordinal (-1: the current context's). Asks the driver: no lock held. Any thread.
 */
void exhaustion_note_rejected(uint64_t bytes, int device, const struct range_origin *origin);

/* An allocation of so many bytes was granted: the program got over what was no larger. */
void exhaustion_granted(uint64_t bytes);
static inline void exhaustion_note_granted(uint64_t bytes)
{
	if (__atomic_load_n(&exhaustion_is_open, __ATOMIC_RELAXED))
		exhaustion_granted(bytes);
}

#endif

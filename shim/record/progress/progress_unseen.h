/*
 * progress_unseen.h - notice work that culprit did not record, by the driver's own notes about a
 * stream: a launch that did not pass through culprit changes them all the same.
 *
 * These notes are in the driver's own memory. The GPU does not write it, so they are right however
 * late or wrong the GPU's counters are.
 */
#ifndef CULPRIT_RECORD_PROGRESS_UNSEEN_H
#define CULPRIT_RECORD_PROGRESS_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_tracker.h"

/* The ways in which it was noticed. */
enum progress_unseen {
	UNSEEN_BETWEEN = 1, /* another kernel was between two recorded launches of a stream */
	UNSEEN_NEWEST = 2,  /* the newest submission of a stream was not recorded */
	UNSEEN_STREAM = 4,  /* a stream without recorded work has run a kernel */
};

/* Remember this until the process ends. Any thread. */
void progress_unseen_note(enum progress_unseen how);

/* Return all that was noticed so far, as bits. Any thread. */
uint32_t progress_unseen(void);

/*
 * Check a launch, the stream's newest submission, whose kernel uses the word `id`. The notes about
 * the stream are as before it. A stream uses its words by turns, in the order of their addresses. A
 * word that was left out is noticed, if the process's other words confirm that order. Under the
 * stream's lock.
 */
void progress_unseen_between(const struct progress_tracker *tracker, uint32_t id);

/*
 * True if the driver's newest submission of the stream differs from the one noted for `ordinal`,
 * the newest that was recorded. False also if unknown. `is_marked`: a marker of ours follows the
 * submission in the stream. Under the stream's lock.
 */
bool progress_unseen_newest(const struct progress_tracker *tracker, uint64_t ordinal,
			    bool is_marked);

/* True if the newest submission of the stream with this object is a kernel. Reads through `memory`.
 */
bool progress_unseen_is_kernel(struct own_memory *memory, uint64_t object);

#endif

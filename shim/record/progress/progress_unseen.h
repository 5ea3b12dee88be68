/*
 * progress_unseen.h - work that culprit did not record, noticed by what the driver itself notes of
 * a stream: a launch that did not pass through culprit moves that all the same.
 *
 * What is noted here lies in the driver's own memory. The GPU does not write it, so it is right
 * however late or wrong the GPU's words are.
 */
#ifndef CULPRIT_RECORD_PROGRESS_UNSEEN_H
#define CULPRIT_RECORD_PROGRESS_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_tracker.h"

/* How it was noticed. */
enum progress_unseen {
	UNSEEN_BETWEEN = 1, /* between two recorded launches of a stream there was another kernel */
	UNSEEN_NEWEST = 2,  /* the newest submission of a stream is none that was recorded */
	UNSEEN_STREAM = 4,  /* a stream that was given no recorded work has run a kernel */
};

/* Remembers it until the process ends. Any thread. */
void progress_unseen_note(enum progress_unseen how);

/* All that was noticed so far, as bits. Any thread. */
uint32_t progress_unseen(void);

/*
 * The stream's newest submission is a launch, with the word `id` for its kernel, and what is noted
 * of the stream is as it was before. A stream uses its words by turns, in the order of their
 * addresses: a word that was left out is noticed, if the others of this process bear that out.
 * Under the stream's lock.
 */
void progress_unseen_between(const struct progress_tracker *tracker, uint32_t id);

/*
 * True if the driver's newest submission of the stream is not the one noted for `ordinal`, which is
 * the newest that was recorded. False also if that is not known. `is_marked`: a marker of culprit's
 * follows the submission in the stream. Under the stream's lock.
 */
bool progress_unseen_newest(const struct progress_tracker *tracker, uint64_t ordinal,
			    bool is_marked);

/* True if the newest submission of the stream with this object is a kernel. Reads through `memory`.
 */
bool progress_unseen_is_kernel(struct own_memory *memory, uint64_t object);

#endif

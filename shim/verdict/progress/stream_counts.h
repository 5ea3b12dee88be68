/*
 * stream_counts.h - how much a stream was given and has finished, at a moment: of a failure as it
 * was copied then, since what comes after that says nothing of it.
 */
#ifndef CULPRIT_VERDICT_STREAM_COUNTS_H
#define CULPRIT_VERDICT_STREAM_COUNTS_H

#include <stdint.h>

#include "base/journal_format.h"
#include "verdict/progress/moment.h"

struct stream_counts {
	uint64_t submitted;
	uint64_t synced;    /* newest that a call proved finished */
	uint32_t synced_by; /* string: that call */
};

/* Of a bundle without the copies, and of no failure, as they are now. Any thread. */
struct stream_counts stream_counts_at(const struct stream_row *row, const struct moment *moment);

#endif

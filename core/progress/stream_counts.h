/*
 * stream_counts.h - how much a stream was given and has finished at a moment. For a failure, the
 * counts are those copied then, since later progress says nothing about it.
 */
#ifndef CULPRIT_PROGRESS_STREAM_COUNTS_H
#define CULPRIT_PROGRESS_STREAM_COUNTS_H

#include <stdint.h>

#include "base/journal_format.h"
#include "progress/moment.h"

struct stream_counts {
	uint64_t submitted;
	uint64_t synced;    /* newest ordinal that a call proved finished */
	uint32_t synced_by; /* string id of that call */
};

/*
 * Return the stream's counts at the moment. Without a failure, or without copies in the bundle,
 * these are the current counts. Any thread.
 */
struct stream_counts stream_counts_at(const struct stream_row *row, const struct moment *moment);

#endif

/*
 * markers.h - how far the GPU is. After a submission, the GPU itself writes the submission's
 * ordinal to a word that the host can read, also after a failure.
 *
 * side    The stream's event is recorded; a stream of our own waits for it and writes. Costs the
 *         host 0.7-0.9 us and the GPU nothing, but may lag the GPU by some microseconds.
 * inline  The write is in the application's stream. Costs the GPU 2 us a kernel, and proves that
 *         what follows it did not start before the write.
 * auto    Inline markers after the first submissions of a context. Later, a stream with progress
 *         counters (progress_tracker.h) gets a side marker a second, to confirm them; other streams
 *         get side markers as often as they cost little: see markers.c.
 * (H200, driver 580.159)
 */
#ifndef CULPRIT_RECORD_MARKERS_H
#define CULPRIT_RECORD_MARKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/settings.h"
#include "record/streams/stream_rows.h"

struct journal_record;

/* Start-up only. */
void markers_start(const struct marker_setting *wanted);

/* True if a scheme other than `off` is set. Any thread. */
bool markers_are_wanted(void);

/*
 * Let a marker follow an accepted submission, if it is time for one. `row` is its record in the
 * journal (NULL: dropped), whose flags then say so. is_told: progress counters cover it. Calls the
 * driver. The stream's lock is held, and the stream is not capturing.
 */
void markers_consider(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		      struct journal_record *row, bool is_told);
static inline void markers_follow(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
				  struct journal_record *row, bool is_told)
{
	if (UNLIKELY(!is_told) || UNLIKELY(now_ns >= stream->quiet_until_ns))
		markers_consider(stream, ordinal, now_ns, row, is_told);
}

/* Let a marker follow the newest submission, unless one does: it is the last one. As above. */
void markers_follow_last(struct stream *stream);

/* Return the newest ordinal that the stream's word shows; `before` without a word. Any thread. */
uint64_t markers_landed(const struct stream *stream);

#endif

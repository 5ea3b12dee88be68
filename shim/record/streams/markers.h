/*
 * markers.h - how far the GPU has come: after a submission, the GPU itself writes the submission's
 * ordinal to a word that the host can read, also after a failure.
 *
 * side    the stream's event is recorded, a stream of our own waits for it and writes. Costs the
 *         host 0.7-0.9 us and the GPU nothing, but may lag behind by some microseconds.
 * inline  the write sits in the application's stream. Costs the GPU 2 us a kernel, and proves: what
 *         follows it cannot have started before it was written.
 * auto    inline markers behind the first submissions of a context; then, where the driver's own
 *         words tell of a stream (progress_tracker.h), a side marker a second to bear them out, and
 *         where they do not, side markers as often as they cost little: see markers.c.
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

/* Is any scheme but `off` set? Any thread. */
bool markers_are_wanted(void);

/*
 * A submission was accepted: lets a marker follow it, if it is time for one. `row` is its record in
 * the journal (NULL: dropped), whose flags then say so; is_told: the driver's own words tell of it.
 * Calls the driver. The stream's lock is held, and the stream is not capturing.
 */
void markers_consider(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		      struct journal_record *row, bool is_told);
static inline void markers_follow(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
				  struct journal_record *row, bool is_told)
{
	if (!USUALLY(is_told) || !USUALLY(now_ns < stream->quiet_until_ns))
		markers_consider(stream, ordinal, now_ns, row, is_told);
}

/* Lets a marker follow the newest submission, unless one does: no other will come. As above. */
void markers_follow_last(struct stream *stream);

/* The newest ordinal that the stream's word shows; `before` while it has none. Any thread. */
uint64_t markers_landed(const struct stream *stream);

#endif

/*
 * markers.h - how far the GPU has come: after a submission, the GPU itself writes the submission's
 * ordinal to a word that the host can read, also after a failure.
 *
 * side    the stream's event is recorded, a stream of our own waits for it and writes. Costs the
 *         host 0.7-0.9 us and the GPU nothing, but may lag behind by some microseconds.
 * inline  the write sits in the application's stream. Costs the GPU 2 us a kernel, and proves: what
 *         follows it cannot have started before it was written.
 * auto    side markers, as often as they cost little: see markers.c.
 * (H200, driver 580.159)
 */
#ifndef CULPRIT_RECORD_MARKERS_H
#define CULPRIT_RECORD_MARKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"
#include "streams.h"

/* Start-up only. */
void markers_start(const struct marker_setting *wanted);

/* Is any scheme but `off` set? Any thread. */
bool markers_are_wanted(void);

/*
 * A submission was accepted: lets a marker follow it, if it is time for one. `row` is its record in
 * the journal (NULL: dropped), whose flags then say so. Calls the driver. The stream's lock is
 * held, and the stream is not capturing.
 */
void markers_follow(struct stream *stream, uint64_t ordinal, uint64_t now_ns,
		    struct journal_record *row);

/* Lets a marker follow the newest submission, unless one does: no other will come. As above. */
void markers_follow_last(struct stream *stream);

/* The newest ordinal that the stream's word shows; `before` while it has none. Any thread. */
uint64_t markers_landed(const struct stream *stream);

/*
 * The same for a stream of which only the id is known: 0 if it has no marker. Walks all streams.
 * Any thread, no lock held.
 */
uint64_t markers_landed_id(uint32_t stream);

/*
 * Copies what every stream's word shows into its row, for the last time: what lands later is not of
 * the moment of the failure. The failure only, no lock held.
 */
void markers_copy_for_good(void);

/* The same for one context that is about to be forgotten, but nothing after the failure. */
void markers_copy(struct context *context);

#endif

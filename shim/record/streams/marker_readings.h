/*
 * marker_readings.h - the values of all streams' markers and counters: for a stream of which only
 * the id is known, and for the journal, at the last moment when they can be read or believed.
 */
#ifndef CULPRIT_RECORD_MARKER_READINGS_H
#define CULPRIT_RECORD_MARKER_READINGS_H

#include <stdint.h>

struct context;

/*
 * Return markers_landed() of the stream with this id; 0 without such a stream. Walks all streams.
 * Any thread, no lock held.
 */
uint64_t marker_readings_landed(uint32_t stream);

/*
 * Copy the word of each of the context's streams into its row, before the context is forgotten.
 * After the failure, copies nothing. Takes the context's lock. Any thread.
 */
void marker_readings_copy(struct context *context);

/*
 * The same for every context, and for the last time: later values do not show the moment of the
 * failure. The failure only, no lock held.
 */
void marker_readings_copy_for_good(void);

/*
 * Copy the driver's progress counters of all contexts into the rows of channels and of kernels'
 * states. Skips memory that is no longer mapped. The failure only, no lock held.
 */
void marker_readings_copy_channels(void);

/*
 * Look for streams with work that culprit did not record (progress_unseen.h): check the driver's
 * notes of every stream of every context. Skips a stream that a thread is submitting to. Called by
 * the thread of this id, without locks. The failure only.
 */
void unseen_work_find(uint32_t tid);

#endif

/*
 * marker_readings.h - what the markers of all streams say: for a stream of which only the id is
 * known, and for the journal, at the last moment when they can be read or be believed.
 */
#ifndef CULPRIT_RECORD_MARKER_READINGS_H
#define CULPRIT_RECORD_MARKER_READINGS_H

#include <stdint.h>

struct context;

/*
 * As markers_landed() of the stream with this id; 0 if there is none. Walks all streams. Any
 * thread, no lock held.
 */
uint64_t marker_readings_landed(uint32_t stream);

/*
 * Copies what the word of each of the context's streams shows into its row. The context is about to
 * be forgotten; after the failure nothing is copied. Takes the context's lock. Any thread.
 */
void marker_readings_copy(struct context *context);

/*
 * The same for every context, and for the last time: what lands later is not of the moment of the
 * failure. The failure only, no lock held.
 */
void marker_readings_copy_for_good(void);

#endif

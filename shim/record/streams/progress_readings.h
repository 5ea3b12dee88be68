/*
 * progress_readings.h - the driver's own words of all contexts, for the journal.
 */
#ifndef CULPRIT_RECORD_PROGRESS_READINGS_H
#define CULPRIT_RECORD_PROGRESS_READINGS_H

/*
 * Copies what they say now into the rows of channels and of kernels' states. Memory that has gone
 * is left out. The failure only, no lock held.
 */
void progress_readings_copy(void);

#endif

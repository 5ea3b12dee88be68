/*
 * progress_readings.h - the driver's progress counters of all contexts, for the journal.
 */
#ifndef CULPRIT_RECORD_PROGRESS_READINGS_H
#define CULPRIT_RECORD_PROGRESS_READINGS_H

/*
 * Copy their values now into the rows of channels and of kernels' states. Skips memory that is no
 * longer mapped. The failure only, no lock held.
 */
void progress_readings_copy(void);

#endif

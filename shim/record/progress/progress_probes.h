/*
 * progress_probes.h - after a search that has found channels, give work of our own to the other
 * ones, too, so that their counters are checked before the program uses them. Otherwise a program
 * whose streams fail at their first submission leaves unchecked counters.
 */
#ifndef CULPRIT_RECORD_PROGRESS_PROBES_H
#define CULPRIT_RECORD_PROGRESS_PROBES_H

#include "record/progress/progress_bench.h"
#include "record/progress/progress_channels.h"

/*
 * Make some streams in the channels' context, which is current. Streams get channels by turns
 * (H200, driver 580.159: eight, which streams of all priorities share, in an order of the driver's
 * own; CUDA_DEVICE_MAX_CONNECTIONS sets the number). Each gets another number of submissions than
 * the one before, so that neighbours' counters differ; all are destroyed again. Uses the bench of
 * the search, as its last user. Ends at the first stream that the GPU does not finish. Calls the
 * driver: no lock held.
 */
void progress_probes_try(const struct progress_bench *bench, struct progress_channels *channels);

#endif

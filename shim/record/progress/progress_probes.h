/*
 * progress_probes.h - what follows a search that has found channels: each other one is given work
 * of our own, too, so that its word was checked before the program comes to it. Else a program
 * whose streams fail at their first submission leaves words that nobody has ever checked.
 */
#ifndef CULPRIT_RECORD_PROGRESS_PROBES_H
#define CULPRIT_RECORD_PROGRESS_PROBES_H

#include "record/progress/progress_bench.h"
#include "record/progress/progress_channels.h"

/*
 * Makes some streams in the current context, that of the channels: streams come to channels by
 * turns (H200, driver 580.159: eight, which streams of all priorities share, in an order of the
 * driver's own; CUDA_DEVICE_MAX_CONNECTIONS says how many). Each is given other numbers of
 * submissions than the one before, so that neighbours' words differ, and all go again. On the bench
 * of the search, last of all; ends at the first that the GPU does not come to. Calls the driver: no
 * lock held.
 */
void progress_probes_try(const struct progress_bench *bench, struct progress_channels *channels);

#endif

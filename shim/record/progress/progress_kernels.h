/*
 * progress_kernels.h - what follows a search that has found channels: kernels of our own, so that
 * the words of kernels (progress_states.h) are known before the program's first one.
 */
#ifndef CULPRIT_RECORD_PROGRESS_KERNELS_H
#define CULPRIT_RECORD_PROGRESS_KERNELS_H

#include "record/progress/progress_bench.h"
#include "record/progress/progress_channels.h"

/*
 * Has the GPU do STATE_TRIALS kernels in the context of the channels, each held back for as long as
 * it takes to see that its word does not say that it has finished, nor its channel's that it has
 * begun.
 * Nothing comes of it where the driver fills memory without kernels. On the bench of the search;
 * again is harmless. Calls the driver: no lock held.
 */
void progress_kernels_try(struct progress_bench *bench, struct progress_channels *channels);

#endif

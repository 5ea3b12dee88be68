/*
 * progress_kernels.h - after a search that has found channels, run kernels of our own, so that
 * kernels' states (progress_states.h) are known before the program's first kernel.
 */
#ifndef CULPRIT_RECORD_PROGRESS_KERNELS_H
#define CULPRIT_RECORD_PROGRESS_KERNELS_H

#include "record/progress/progress_bench.h"
#include "record/progress/progress_channels.h"

/*
 * Run STATE_TRIALS kernels on the GPU in the channels' context. Each is held back until it is seen
 * that its state does not say finished, and its channel's counter does not say started. Has no
 * effect if the driver fills memory without kernels. Uses the bench of the search; may be repeated.
 * Calls the driver: no lock held.
 */
void progress_kernels_try(struct progress_bench *bench, struct progress_channels *channels);

#endif

/*
 * readings.h - the readings of a snapshot, which show how far the GPU was. They are put into the
 * rows of a bundle that was read from disk, where attribution looks for them.
 */
#ifndef CULPRIT_TOOLS_READINGS_H
#define CULPRIT_TOOLS_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attribution/hang_claim.h"
#include "base/journal_format.h"
#include "bundle/bundle.h"

/* Copy the readings into the rows of `bundle`, which owns its bytes. Any thread. */
void readings_apply(const struct reading_row *readings, size_t n, struct bundle *bundle);

/*
 * Copy those of the last snapshot of a process that has exited. Its journal has them. Returns when
 * it was taken (CLOCK_MONOTONIC); 0: there is none, or the process ended while it was taken.
 */
uint64_t readings_apply_last(struct bundle *bundle);

/*
 * Find what had started by the last snapshot, and is not known to have finished since. Copies the
 * snapshot's readings into the bundle's rows. Returns false, with *out undefined, if the process
 * still runs, or if there is no snapshot, or if it does not show what had started.
 */
bool left_work_find(struct bundle *bundle, struct hang_claim *out);

#endif

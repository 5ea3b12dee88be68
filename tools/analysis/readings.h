/*
 * readings.h - the readings of a snapshot, which show how far the GPU was. They are put into the
 * rows of a bundle that was read from disk, where attribution looks for them.
 */
#ifndef CULPRIT_TOOLS_READINGS_H
#define CULPRIT_TOOLS_READINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "bundle/bundle.h"

/* Copy the readings into the rows of `bundle`, which owns its bytes. Any thread. */
void readings_apply(const struct reading_row *readings, size_t n, struct bundle *bundle);

/*
 * Copy those of the last snapshot of a process that has exited. Its journal has them. Returns when
 * it was taken (CLOCK_MONOTONIC); 0: there is none, or the process ended while it was taken.
 */
uint64_t readings_apply_last(struct bundle *bundle);

#endif

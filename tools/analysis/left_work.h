/*
 * left_work.h - the work that had started, but not finished, when a process ended without a
 * failure, for example because it was killed. The last snapshot of its progress shows it.
 */
#ifndef CULPRIT_TOOLS_LEFT_WORK_H
#define CULPRIT_TOOLS_LEFT_WORK_H

#include <stdbool.h>

#include "attribution/hang_claim.h"
#include "bundle/bundle.h"

/*
 * Find what had started by the last snapshot, and is not known to have finished since. Copies the
 * snapshot's readings into the bundle's rows. Returns false, with *out undefined, if the process
 * still runs, or if there is no snapshot, or if it does not show what had started.
 */
bool left_work_find(struct bundle *bundle, struct hang_claim *out);

#endif

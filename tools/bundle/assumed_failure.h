/*
 * assumed_failure.h - the failure of a bundle whose process never saw one, taken from its core
 * dump.
 */
#ifndef CULPRIT_TOOLS_ASSUMED_FAILURE_H
#define CULPRIT_TOOLS_ASSUMED_FAILURE_H

#include "bundle/bundle_contents.h"

/*
 * Adds the failure in the core dump to a bundle without a failure, and prints a line about it. The
 * end of the journal is the only other known fact. Does nothing if the dump has no failure, or none
 * of the bundle's contexts.
 */
void bundle_assume_failure(struct bundle *bundle);

#endif

/*
 * assumed_failure.h - the failure of a bundle whose process never saw one, from its core dump.
 */
#ifndef CULPRIT_TOOLS_ASSUMED_FAILURE_H
#define CULPRIT_TOOLS_ASSUMED_FAILURE_H

#include "bundle/bundle_contents.h"

/*
 * Gives a bundle without a failure the one that its core dump tells of, and says so in a line:
 * nothing else is known of it but when the journal ends. Not if the dump tells of none, or has none
 * of the bundle's contexts.
 */
void bundle_assume_failure(struct bundle *bundle);

#endif

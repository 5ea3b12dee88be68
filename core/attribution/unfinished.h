/*
 * unfinished.h - what had not finished, as far as known, at the end of a bundle without a failure.
 * No call returned an error, so it accuses a submission only of a hang that was seen.
 */
#ifndef CULPRIT_ATTRIBUTION_UNFINISHED_H
#define CULPRIT_ATTRIBUTION_UNFINISHED_H

#include <stddef.h>

#include "attribution/hang_claim.h"
#include "attribution/verdict.h"
#include "view/bundle_view.h"

/* Return the scratch that unfinished_find() needs, in bytes. */
size_t unfinished_scratch(const struct bundle_view *view);

/*
 * Fill *out with UNKNOWN_NO_FAILURE, how much is unfinished, and its streams. Only syncs and
 * markers prove progress, so work that finished after the last of them is included. With `hang`
 * (NULL: none), the only suspect is the submission that hung, and the class is the claim's, unless
 * the submission has finished since, or the claim contradicts itself. If several submissions had
 * started before the process ended, there is no suspect. Without `hang` there is one only if a
 * single submission can have started. Returns 0, or -ENOMEM if `scratch` is not aligned to 8 or too
 * small. Any thread.
 */
int unfinished_find(const struct bundle_view *view, const struct hang_claim *hang, void *scratch,
		    size_t scratch_size, struct verdict *out);

#endif

/*
 * unfinished.h - what had not finished, as far as known, at the end of a bundle without a failure.
 * It accuses no submission, since no call returned an error.
 */
#ifndef CULPRIT_VERDICT_UNFINISHED_H
#define CULPRIT_VERDICT_UNFINISHED_H

#include <stddef.h>

#include "attribution/verdict.h"
#include "view/bundle_view.h"

/* Return the scratch that unfinished_find() needs, in bytes. */
size_t unfinished_scratch(const struct bundle_view *view);

/*
 * Fill *out with UNKNOWN_NO_FAILURE, how much is unfinished, and its streams. "Suspects" are
 * submissions that may have started, earliest first. Only syncs and markers prove progress, so work
 * that finished after the last of them is included. Returns 0, or -ENOMEM if `scratch` is not
 * aligned to 8 or too small. Any thread.
 */
int unfinished_find(const struct bundle_view *view, void *scratch, size_t scratch_size,
		    struct verdict *out);

#endif

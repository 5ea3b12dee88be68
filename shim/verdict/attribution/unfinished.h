/*
 * unfinished.h - of a bundle without a failure: what had not finished at its end, for all that is
 * known. Nobody is accused: no call has told of anything.
 */
#ifndef CULPRIT_VERDICT_UNFINISHED_H
#define CULPRIT_VERDICT_UNFINISHED_H

#include <stddef.h>

#include "verdict/attribution/verdict.h"
#include "verdict/view/bundle_view.h"

/* Scratch that unfinished_find() needs, in bytes. */
size_t unfinished_scratch(const struct bundle_view *view);

/*
 * Fills *out: UNKNOWN_NO_FAILURE, how much is unfinished, and its streams; "suspects" are those
 * that may have begun, the earliest first. Syncs and markers alone tell, so work that finished
 * behind the last of these is among it. 0, or -ENOMEM: `scratch` is not aligned to 8 or too small.
 * Any thread.
 */
int unfinished_find(const struct bundle_view *view, void *scratch, size_t scratch_size,
		    struct verdict *out);

#endif

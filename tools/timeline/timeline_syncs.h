/*
 * timeline_syncs.h - the times by which a stream's work is known to have finished.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_SYNCS_H
#define CULPRIT_TOOLS_TIMELINE_SYNCS_H

#include "view/bundle_view.h"

/* A sync returned at `time_ns`: the stream's submissions up to `ordinal` had finished by then. */
struct timeline_sync {
	uint32_t stream;
	uint64_t ordinal;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
};

/* Sorted by stream, ordinal and time. On a stream, both ordinals and times only grow. */
struct timeline_syncs {
	struct timeline_sync *rows;
	size_t n;
	uint64_t newest_ns; /* time of the newest record of any kind; 0: none */
};

/*
 * Read the syncs from the journal's records. Whether a successful sync is to be believed is for the
 * verdict to judge. Return 0, and the caller releases *out, or -ENOMEM, and *out is empty.
 */
int timeline_syncs_read(const struct bundle_view *view, struct timeline_syncs *out);
void timeline_syncs_free(struct timeline_syncs *syncs);

/* Return the index of the first sync at or after this position; n if all are before it. */
size_t timeline_syncs_find(const struct timeline_syncs *syncs, uint32_t stream, uint64_t ordinal);

#endif

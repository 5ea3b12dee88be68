/*
 * timeline_syncs.h - the moments at which work of a stream is known to have been finished.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_SYNCS_H
#define CULPRIT_TOOLS_TIMELINE_SYNCS_H

#include "verdict/view/bundle_view.h"

/* A call returned: all submissions of a stream up to `ordinal` were finished at the latest then. */
struct timeline_sync {
	uint32_t stream;
	uint64_t ordinal;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
};

/* By stream, ordinal and time; on a stream, the latter two only grow. */
struct timeline_syncs {
	struct timeline_sync *rows;
	size_t n;
	uint64_t newest_ns; /* of all records; 0: there is none */
};

/*
 * What the journal's records say, whether success was to be believed or not: that is the verdict's
 * business. 0, and *out is to be freed; -ENOMEM, and it is empty.
 */
int timeline_syncs_read(const struct bundle_view *view, struct timeline_syncs *out);
void timeline_syncs_free(struct timeline_syncs *syncs);

/* The index of the first one that is not before this place; n: there is none. */
size_t timeline_syncs_find(const struct timeline_syncs *syncs, uint32_t stream, uint64_t ordinal);

#endif

/*
 * launch_list.h - the checked launches of a run, each by its place in its stream.
 */
#ifndef CULPRIT_TOOLS_LAUNCH_LIST_H
#define CULPRIT_TOOLS_LAUNCH_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "view/bundle_view.h"

struct checked_launch {
	uint32_t first, n; /* rows in checks */
	uint32_t stream;   /* number of its stream, by first use, from 0 */
	uint32_t place;    /* among the stream's checked launches, from 0 */
};

struct launch_list {
	struct checked_launch *launches; /* in the order of the journal */
	size_t n;
	const struct checked_launch **by_location; /* ordered by stream, then by place */
};

/* Read the table of checks. Return 0 or -ENOMEM. The caller frees *out. */
int launch_list_make(const struct bundle_view *view, struct launch_list *out);
void launch_list_free(struct launch_list *list);

/* Return the launch at that place; NULL: there is none. */
const struct checked_launch *launch_list_find(const struct launch_list *list, uint32_t stream,
					      uint32_t place);

#endif

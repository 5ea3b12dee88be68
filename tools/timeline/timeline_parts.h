/*
 * timeline_parts.h - a timeline under construction, and the steps. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_PARTS_H
#define CULPRIT_TOOLS_TIMELINE_PARTS_H

#include "progress/moment.h"
#include "progress/trusted_channels.h"
#include "timeline/timeline_model.h"

#define NO_LANE UINT32_MAX

/* An event wait: work of `stream` after `ordinal` waits for `source` up to `source_ordinal`. */
struct timeline_wait {
	uint64_t ordinal;
	uint64_t source_ordinal;
	uint32_t stream;
	uint32_t source;
};

struct timeline_builder {
	struct timeline *timeline;
	const struct verdict *verdict;
	struct moment moment;
	struct trusted_channels trust; /* channels whose progress counters are trusted */
	uint32_t n_streams;
	uint32_t *lane_of;                  /* by stream ID; NO_LANE: none yet */
	const struct stream_state **states; /* by stream ID, from the verdict; NULL: not listed */
	struct timeline_wait *waits;
	size_t n_waits;
	size_t work_room; /* capacity of the arrays, in rows */
	size_t lane_room;
	size_t wait_room;
};

/* timeline_states.c: derive a submission's state from the verdict. */

/* Fill moment, trust, n_streams, lane_of and states. Return 0 or -ENOMEM. */
int timeline_states_begin(struct timeline_builder *builder);

/* Return what is known of a submission. */
enum timeline_state timeline_state_of(const struct timeline_builder *builder,
				      const struct journal_record *record);

/* Fill the timeline's edges from the builder's waits. Return 0 or -ENOMEM. */
int timeline_edges_find(struct timeline_builder *builder);

#endif

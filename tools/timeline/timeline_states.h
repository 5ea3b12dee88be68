/*
 * timeline_states.h - what the verdict makes of one submission. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_STATES_H
#define CULPRIT_TOOLS_TIMELINE_STATES_H

#include "timeline/timeline_builder.h"

/* Fills moment, n_streams, lane_of and states. 0 or -ENOMEM. */
int timeline_states_begin(struct timeline_builder *builder);

enum timeline_state timeline_state_of(const struct timeline_builder *builder,
				      const struct journal_record *record);

#endif

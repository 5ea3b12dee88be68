/*
 * timeline_states.h - derive a submission's state from the verdict. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_STATES_H
#define CULPRIT_TOOLS_TIMELINE_STATES_H

#include "timeline/timeline_builder.h"

/* Fill moment, trust, n_streams, lane_of and states. Return 0 or -ENOMEM. */
int timeline_states_begin(struct timeline_builder *builder);

/* Return what is known of a submission. */
enum timeline_state timeline_state_of(const struct timeline_builder *builder,
				      const struct journal_record *record);

#endif

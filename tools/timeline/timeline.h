/*
 * timeline.h - all submissions of a journal, on a lane for each stream, with what is known of each:
 * whether it finished, was running, or can have started. The HTML page and traces draw it. It is
 * derived from the verdict, agrees with it, and proves nothing by itself.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_H
#define CULPRIT_TOOLS_TIMELINE_H

#include "timeline/timeline_model.h"

/*
 * Fill *out. Return 0, and the caller releases it with timeline_close(), or -ENOMEM. `view` must
 * outlive it.
 */
int timeline_open(const struct bundle_view *view, const struct verdict *verdict,
		  struct timeline *out);
void timeline_close(struct timeline *timeline);

/* Read a submission's record. Return false if a running process has overwritten it. */
bool timeline_record(const struct timeline *timeline, const struct timeline_work *work,
		     struct journal_record *out);

/* Return the text of a state: "finished", "may have started", ... */
const char *timeline_state_text(enum timeline_state state);

#endif

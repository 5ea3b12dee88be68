/*
 * timeline.h - all submissions of a journal on the lanes of their streams, and what is known of
 * each: has it finished, did it run, can it have begun? For who draws or traces them. It agrees
 * with the verdict, from which it comes, and proves nothing itself.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_H
#define CULPRIT_TOOLS_TIMELINE_H

#include "timeline/timeline_model.h"

/*
 * Fills *out, which timeline_close() frees; `view` must outlive it. 0 or -ENOMEM.
 */
int timeline_open(const struct bundle_view *view, const struct verdict *verdict,
		  struct timeline *out);
void timeline_close(struct timeline *timeline);

/* The record itself. False: it is gone from a journal that is still written. */
bool timeline_record(const struct timeline *timeline, const struct timeline_work *work,
		     struct journal_record *out);

#endif

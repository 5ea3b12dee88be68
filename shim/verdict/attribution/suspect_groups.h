/*
 * suspect_groups.h - suspects by what they are and where they come from: of hundreds of launches a
 * handful of places is what somebody can look at, and none of these may be hidden by another's
 * number. They are counted in the verdict itself, since the stack of a failing thread may be small.
 * Private to this folder.
 */
#ifndef CULPRIT_VERDICT_SUSPECT_GROUPS_H
#define CULPRIT_VERDICT_SUSPECT_GROUPS_H

#include "verdict/attribution/suspect_order.h"
#include "verdict/attribution/verdict.h"
#include "verdict/progress/progress.h"

/* Counts one more suspect. Its group's index; VERDICT_MAX_GROUPS: there is no room for it. */
uint32_t suspect_groups_count(const struct bundle_view *view, const struct submission *suspect,
			      struct verdict *verdict);

/* The same of the open work at `index`; best[] are the indexes of the most suspect of each group.
 */
void suspect_groups_add(const struct progress *progress, uint32_t index, struct verdict *verdict,
			uint32_t best[VERDICT_MAX_GROUPS]);

/*
 * Sees to it that `ranked`, of which there are `n`, has the best of each group, in place of its
 * last ones where there is no room. Returns how many there are then.
 */
uint32_t suspect_groups_represent(const struct progress *progress, const struct verdict *verdict,
				  const uint32_t best[VERDICT_MAX_GROUPS],
				  const struct open_work **ranked, uint32_t n);

/* Puts the groups into the order of the verdict's suspects, which are set. */
void suspect_groups_sort(const struct bundle_view *view, struct verdict *verdict);

#endif

/*
 * suspects.h - who is named, in which order, and in which groups: by what suspects are and where
 * they come from, since of hundreds of launches a handful of places is what somebody can look at,
 * and none of these may be hidden by another's number. They are counted in the verdict itself: the
 * stack of a failing thread may be small. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_SUSPECTS_H
#define CULPRIT_VERDICT_SUSPECTS_H

#include <stdint.h>

#include "verdict/attribution/verdict.h"
#include "verdict/progress/progress.h"
#include "verdict/progress/unusual.h"

/* What is too big for such a stack. */
struct suspects_workplace {
	struct unusual_table unusual;
	struct open_work late[VERDICT_MAX_SUSPECTS]; /* those of no known order */
};

/*
 * Names the suspects of this level, the most suspect first, as far as there is room, with their
 * number, groups and lead. Where the class is NARROWED already, or UNKNOWN for lost records, those
 * of no known order are among them, and it is NARROWED if there are any.
 */
void suspects_rank(const struct progress *progress, struct suspects_workplace *place,
		   enum order_level level, struct verdict *verdict);

/* Names one, as that at this place, and counts its group; its number and rank are the caller's. */
void suspects_add(const struct progress *progress, const struct open_work *work, uint32_t place,
		  struct verdict *verdict);

#endif

/*
 * suspects.h - which suspects are named, in which order and groups. A group is one kind of work
 * from one stack. A reader can look at a handful of locations, not at hundreds of launches. A
 * location with many launches must not hide another. Groups are counted in the verdict itself,
 * since the stack of a failing thread may be small. Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_SUSPECTS_H
#define CULPRIT_ATTRIBUTION_SUSPECTS_H

#include <stdint.h>

#include "attribution/verdict.h"
#include "progress/progress.h"
#include "progress/unusual.h"

/*
 * Name the suspects, most suspect first, as far as there is room, with their number,
 * groups and lead. If the class is NARROWED already, or UNKNOWN for lost records, work of unknown
 * order is included, and the class becomes NARROWED if there is any. `unusual` is scratch space
 * that is too big for a small stack.
 */
void suspects_rank(const struct progress *progress, struct unusual_table *unusual,
		   struct verdict *verdict);

/* Name one suspect, at index `place`, and count its group. The caller sets the number and rank. */
void suspects_add(const struct progress *progress, const struct open_work *work, uint32_t place,
		  struct verdict *verdict);

#endif

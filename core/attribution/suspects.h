/*
 * suspects.h - choose which suspects the verdict names, and in which order and groups. A group is
 * one kind of work from one stack: a reader can look at a handful of locations, but not at hundreds
 * of launches. So a location with many launches must not hide another. Groups are counted in the
 * verdict itself, because the stack of a failing thread may be small. Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_SUSPECTS_H
#define CULPRIT_ATTRIBUTION_SUSPECTS_H

#include <stdint.h>

#include "attribution/verdict.h"
#include "progress/anomaly.h"
#include "progress/progress.h"

/*
 * Name the suspects, the most likely one first, as far as there is room. Set their number, their
 * groups and the lead. Work of unknown order is included if the class is NARROWED already, or
 * UNKNOWN because records were lost; the class becomes NARROWED if there is any such work.
 * `anomaly` is the caller's scratch memory, because it is too big for a small stack.
 */
void suspects_rank(const struct progress *progress, struct anomaly_table *anomaly,
		   struct verdict *verdict);

/* Name the finished work that may be the culprit after the other suspects, the newest first. */
void suspects_add_late(const struct progress *progress, struct verdict *verdict);

/* Name one suspect, at index `place`, and count its group. The caller sets the number and rank. */
void suspects_add(const struct progress *progress, const struct open_work *work, uint32_t place,
		  struct verdict *verdict);

#endif

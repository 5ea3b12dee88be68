/*
 * order_limits.h - what the order of work proves of streams: more that is finished, and what cannot
 * have started.
 */
#ifndef CULPRIT_VERDICT_ORDER_LIMITS_H
#define CULPRIT_VERDICT_ORDER_LIMITS_H

#include "verdict/progress/progress.h"

/* Raises `done` by what finished work must have waited for. After progress_read. */
void limits_raise_done(struct progress *progress);

/* Fills limits[level] of each stream, strict ones first. After limits_raise_done. */
void limits_find(struct progress *progress, enum order_level level);

#endif

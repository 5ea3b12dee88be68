/*
 * order_limits.h - what the order of work proves: which other work is finished, and which work
 * cannot have started.
 */
#ifndef CULPRIT_VERDICT_ORDER_LIMITS_H
#define CULPRIT_VERDICT_ORDER_LIMITS_H

#include "progress/progress.h"

/* Raise `done` by what finished work must have waited for. Call this after progress_read(). */
void limits_raise_done(struct progress *progress);

/* Fill limits[level] of each stream. Call this after limits_raise_done(), strict level first. */
void limits_find(struct progress *progress, enum order_level level);

#endif

/*
 * order_limits.h - what the order of work proves: which other work is finished, and which work
 * cannot have started.
 */
#ifndef CULPRIT_VERDICT_ORDER_LIMITS_H
#define CULPRIT_VERDICT_ORDER_LIMITS_H

#include "progress/progress.h"

/* The stream is known to have finished up to `ordinal`. Call this before limits_raise_done(). */
void limits_raise_stream(struct progress *progress, uint32_t id, uint64_t ordinal);

/* Raise `done` by what finished work must have waited for. Call this after progress_read(). */
void limits_raise_done(struct progress *progress);

/* Fill limits[level] of each stream. Call this after limits_raise_done(), strict level first. */
void limits_find(struct progress *progress, enum order_level level);

/* Forget what holds the stream back, at all levels. */
void limits_drop(struct progress *progress, uint32_t id);

#endif

/*
 * sync_points.h - how far each stream of a context was when its synchronisation started.
 */
#ifndef CULPRIT_RECORD_SYNC_POINTS_H
#define CULPRIT_RECORD_SYNC_POINTS_H

#include <stdint.h>

struct context;
struct stream;

struct sync_point {
	struct stream *stream;
	uint64_t ordinal;
};

/* A list that its thread reuses. All zero is empty. */
struct sync_points {
	struct sync_point *points;
	uint32_t n, capacity;
};

/* Note how far each stream with unfinished work is; nothing for a null context. Slot owner only. */
void sync_points_take(struct sync_points *points, struct context *context);

/* Mark all noted work finished, as `call` (string id) proved. Slot owner only. */
void sync_points_finished(struct sync_points *points, uint32_t call);

#endif

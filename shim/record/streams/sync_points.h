/*
 * sync_points.h - how far every stream of a context had come when its synchronisation began.
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

/* A list that its thread uses again and again. All zero is empty. */
struct sync_points {
	struct sync_point *points;
	uint32_t n, capacity;
};

/* Notes how far each stream with unfinished work is; of a null context nothing. Slot owner only. */
void sync_points_take(struct sync_points *points, struct context *context);

/* All noted work is finished, as `call` (string id) proved. Slot owner only. */
void sync_points_finished(struct sync_points *points, uint32_t call);

#endif

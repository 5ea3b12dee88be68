/*
 * events.h - the point of each event of the application: its stream's work up to an ordinal.
 */
#ifndef CULPRIT_RECORD_EVENTS_H
#define CULPRIT_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* A submission of a stream; the point includes it. */
struct event_point {
	uint32_t stream; /* id */
	uint64_t ordinal;
};

/* Note that the event was recorded. Any thread. */
void events_recorded(CUevent event, struct event_point point);

/* Note that the event was destroyed, or recorded without a point in one stream. Any thread. */
void events_forgotten(CUevent event);

/* Find the event's point. False: it was never seen recorded. Any thread. */
bool events_find(CUevent event, struct event_point *out_point);

/*
 * Give every event no point from now on: a graph or another process may record events unseen, and a
 * query that succeeds would then prove nothing. Any thread.
 */
void events_distrust(void);

#endif

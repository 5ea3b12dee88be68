/*
 * events.h - what each event of the application stands for: its stream's work up to an ordinal.
 */
#ifndef CULPRIT_RECORD_EVENTS_H
#define CULPRIT_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* Up to which submission of which stream. */
struct event_point {
	uint32_t stream; /* id */
	uint64_t ordinal;
};

/* The event was recorded. Any thread. */
void events_recorded(CUevent event, struct event_point point);

/* The event was recorded in a way that stands for no one stream, or destroyed. Any thread. */
void events_forgotten(CUevent event);

/* What the event stands for. False: never seen recorded. Any thread. */
bool events_find(CUevent event, struct event_point *out_point);

/*
 * From now on no event stands for anything: a graph or another process may record them, unseen by
 * us, and a query that succeeds would then prove nothing. Any thread.
 */
void events_distrust(void);

#endif

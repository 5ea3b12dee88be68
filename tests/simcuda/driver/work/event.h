/*
 * event.h - life of events and of their recordings. All: lock held.
 */
#ifndef SIMCUDA_EVENT_H
#define SIMCUDA_EVENT_H

#include "objects.h"

/* The works of graphs name events by NULL where they have none. */
void event_reference(CUevent event);
void event_release(CUevent event);

/* The event now stands for a new recording, of which the result is a reference. */
struct completion *event_start_recording(CUevent event);

struct completion *completion_create(void);
struct completion *completion_reference(struct completion *completion);
/* Accepts NULL. */
void completion_release(struct completion *completion);

#endif

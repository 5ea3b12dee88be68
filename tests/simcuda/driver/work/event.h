/*
 * event.h - lifetime of events and of their recordings. All: lock held.
 */
#ifndef SIMCUDA_EVENT_H
#define SIMCUDA_EVENT_H

#include "objects.h"

/* Take and drop a reference. Works of graphs may have no event: check for NULL before. */
void event_reference(CUevent event);
void event_release(CUevent event);

/* Start a new recording of the event, and return a reference to it. */
struct completion *event_start_recording(CUevent event);

struct completion *completion_create(void);
struct completion *completion_reference(struct completion *completion);
/* Accepts NULL. */
void completion_release(struct completion *completion);

#endif

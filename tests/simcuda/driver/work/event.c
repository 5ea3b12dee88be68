/*
 * event.c - events; each recording is a separate completion.
 */
#include "work/event.h"

#include <stdlib.h>

#include "captures/captures.h"
#include "sim.h"

struct completion *completion_create(void)
{
	return completion_reference(sim_alloc(sizeof(struct completion)));
}

struct completion *completion_reference(struct completion *completion)
{
	completion->n_references++;
	return completion;
}

void completion_release(struct completion *completion)
{
	if (completion && --completion->n_references == 0)
		free(completion);
}

void event_reference(CUevent event)
{
	event->n_references++;
}

void event_release(CUevent event)
{
	if (--event->n_references > 0)
		return;
	capture_forget_event(event);
	completion_release(event->last);
	free(event);
}

struct completion *event_start_recording(CUevent event)
{
	capture_forget_event(event);
	completion_release(event->last);
	event->last = completion_create();
	return completion_reference(event->last);
}

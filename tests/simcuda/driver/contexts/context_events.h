/*
 * context_events.h - events that stand for the work of whole contexts, and contexts that wait for
 * events. Lock held.
 */
#ifndef SIMCUDA_CONTEXT_EVENTS_H
#define SIMCUDA_CONTEXT_EVENTS_H

#include "objects.h"

/* Record all work of the context, and of its green contexts if it is primary. */
CUresult context_record_event(CUcontext context, CUevent event);

/* Make all later work of these contexts, on any stream, wait for the event's recording. */
CUresult context_wait_event(CUcontext context, CUevent event);

#endif

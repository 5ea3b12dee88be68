/*
 * context_events.h - events that stand for the work of whole contexts, and contexts that wait for
 * events. Lock held.
 */
#ifndef SIMCUDA_CONTEXT_EVENTS_H
#define SIMCUDA_CONTEXT_EVENTS_H

#include "objects.h"

/* The event stands for all that the context (if it is a primary one: and its green ones) has. */
CUresult context_record_event(CUcontext context, CUevent event);

/* All that these get from now on, on any stream, waits for what the event stands for. */
CUresult context_wait_event(CUcontext context, CUevent event);

#endif

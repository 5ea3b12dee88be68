/*
 * green_contexts.h - the application's green contexts: shares of a device that have streams of
 * their own, and memory and events with its primary context. Each is also a context of contexts.h.
 */
#ifndef CULPRIT_RECORD_GREEN_CONTEXTS_H
#define CULPRIT_RECORD_GREEN_CONTEXTS_H

#include "record/streams/contexts.h"

/* One was created, by the thread of this id. Calls the driver: no lock held. */
void green_contexts_created(CUgreenCtx green, CUdevice device, uint32_t tid);

/* Its other handle; NULL: not known. Any thread. */
CUcontext green_contexts_handle(CUgreenCtx green);

/* It is gone; what contexts.h knows of it is left to who calls. Any thread. */
void green_contexts_forget(CUgreenCtx green);

#endif

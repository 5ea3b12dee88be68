/*
 * green_contexts.h - the application's green contexts. Each is a share of a device with streams of
 * its own; memory and events belong to the primary context. Each is also a context of contexts.h.
 */
#ifndef CULPRIT_RECORD_GREEN_CONTEXTS_H
#define CULPRIT_RECORD_GREEN_CONTEXTS_H

#include "record/streams/contexts.h"

/* The thread with this id has created one. Calls the driver: call without a lock. */
void green_contexts_created(CUgreenCtx green, CUdevice device, uint32_t tid);

/* Return the green context's handle as a context, NULL if unknown. Any thread. */
CUcontext green_contexts_handle(CUgreenCtx green);

/* The green context was destroyed. The caller updates contexts.h. Any thread. */
void green_contexts_forget(CUgreenCtx green);

#endif

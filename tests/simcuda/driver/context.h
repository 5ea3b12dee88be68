/*
 * context.h - life of contexts, and the stack of current ones. All: lock held.
 */
#ifndef SIMCUDA_CONTEXT_H
#define SIMCUDA_CONTEXT_H

#include "objects.h"

CUcontext context_create(CUdevice device, unsigned flags, bool is_primary);

/* Ends its work (after a failure: drops it), frees what it owns, marks it as destroyed. */
void context_destroy(CUcontext context);

bool context_is_device(CUdevice device);

#endif

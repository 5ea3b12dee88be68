/*
 * context.h - lifetime of contexts. All: lock held.
 */
#ifndef SIMCUDA_CONTEXT_H
#define SIMCUDA_CONTEXT_H

#include "objects.h"

CUcontext context_create(CUdevice device, unsigned flags, bool is_primary);

/* Turn a destroyed context that is not in use into a new one with the same handle. */
void context_revive(CUcontext context);

/* Create a green context of a primary one. It has no CUgreenCtx handle yet, and is not current. */
CUcontext context_create_green(CUcontext primary);

/* Destroy a green context. Its work continues, but its stream handles become invalid. */
void context_destroy_green(CUcontext context);

/* Finish (after a failure: drop) the context's work, free what it owns, and mark it destroyed. */
void context_destroy(CUcontext context);

#endif

/*
 * context.h - life of contexts, and the stack of current ones. All: lock held.
 */
#ifndef SIMCUDA_CONTEXT_H
#define SIMCUDA_CONTEXT_H

#include "objects.h"

CUcontext context_create(CUdevice device, unsigned flags, bool is_primary);

/* Makes a destroyed context, which nobody has, a new one with the same handle. */
void context_revive(CUcontext context);

/* A green context of the primary one. It has no other handle yet, and is current nowhere. */
CUcontext context_create_green(CUcontext primary);

/* Its work goes on. Its streams are lost, even to those who hold their handles. */
void context_destroy_green(CUcontext context);

/* Ends its work (after a failure: drops it), frees what it owns, marks it as destroyed. */
void context_destroy(CUcontext context);

#endif

/*
 * hoard.h - see hoard.c.
 */
#ifndef CULPRIT_MEMORY_HOARD_H
#define CULPRIT_MEMORY_HOARD_H

#include <stddef.h>

/*
 * Allocate `size` bytes of the GPU and never free them. `call`, which is cudaMalloc or
 * cuMemAlloc_v2, is looked up in `library`. Returns the call's result, or -1 if it was not found.
 */
int hoard_memory(const char *library, const char *call, size_t size);

#endif

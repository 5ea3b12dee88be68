/*
 * hoard.h - see hoard.c.
 */
#ifndef CULPRIT_MEMORY_HOARD_H
#define CULPRIT_MEMORY_HOARD_H

#include <stddef.h>

/*
 * Keeps so many bytes of the GPU for ever, by that function of that library: cudaMalloc or
 * cuMemAlloc_v2. What it returned; -1: there is none.
 */
int hoard_memory(const char *library, const char *call, size_t size);

#endif

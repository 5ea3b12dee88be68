/*
 * memory_torch.h - write memory as a snapshot for PyTorch's memory_viz page.
 */
#ifndef CULPRIT_TOOLS_MEMORY_TORCH_H
#define CULPRIT_TOOLS_MEMORY_TORCH_H

#include <stdio.h>

#include "memory/memory.h"

/*
 * Write a pickle (protocol 2). Each device has its allocations as segments of one block, and its
 * allocations and frees in order of time. Return 0 or -ENOMEM; check `out` with ferror().
 */
int memory_torch_write(const struct analysis *analysis, const struct memory *memory, FILE *out);

#endif

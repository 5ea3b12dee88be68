/*
 * memory_torch.h - memory as a snapshot that PyTorch's memory_viz page opens.
 */
#ifndef CULPRIT_TOOLS_MEMORY_TORCH_H
#define CULPRIT_TOOLS_MEMORY_TORCH_H

#include <stdio.h>

#include "memory/memory.h"

/*
 * A pickle of protocol 2: of each device its pieces of memory as segments of one block, and what
 * was made and given back, in order. 0, -ENOMEM; errors of the stream stay in it.
 */
int memory_torch_write(const struct analysis *analysis, const struct memory *memory, FILE *out);

#endif

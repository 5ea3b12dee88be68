/* fill - clean: every element gets the tag. */
#include "kernel.h"

extern "C" __global__ void fill(unsigned tag, unsigned *data, unsigned count)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i] = tag;
}
KERNEL(fill)

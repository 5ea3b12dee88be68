/* trap - device code gives up by itself. */
#include "kernel.h"

extern "C" __global__ void trap(unsigned tag, unsigned *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = tag;
	if (is_chosen_thread())
		__trap();
}
KERNEL(trap)

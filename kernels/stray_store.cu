/* stray_store - one thread stores far outside the array it was given. */
#include "kernel.h"

extern "C" __global__ void stray_store(unsigned tag, unsigned *data, unsigned long long index)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = tag;
	if (is_chosen_thread())
		data[index] = tag;
}
KERNEL(stray_store)

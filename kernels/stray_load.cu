/* stray_load - one thread loads from far outside the array it was given. */
#include "kernel.h"

extern "C" __global__ void stray_load(unsigned tag, unsigned *data, unsigned long long index)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	data[i] = is_chosen_thread() ? data[index] : tag;
}
KERNEL(stray_load)

/* device_assert - an assertion of device code does not hold. */
#include "kernel.h"

extern "C" __global__ void device_assert(unsigned tag, unsigned *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = tag;
	assert(!is_chosen_thread() || tag == 0);
}
KERNEL(device_assert)

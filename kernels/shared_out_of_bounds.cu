/* shared_out_of_bounds - one thread stores far behind the block's shared memory. */
#include "kernel.h"

extern "C" __global__ void shared_out_of_bounds(unsigned tag, unsigned *data, unsigned index)
{
	DYNAMIC_SHARED(unsigned, pool);

	pool[threadIdx.x] = tag;
	if (is_chosen_thread())
		((volatile unsigned *)pool)[index] = tag;
	data[blockIdx.x * blockDim.x + threadIdx.x] = pool[threadIdx.x];
}
KERNEL(shared_out_of_bounds)

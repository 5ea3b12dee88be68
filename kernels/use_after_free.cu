/* use_after_free - correct by itself: the host gives it memory that it has already freed. */
#include "kernel.h"

extern "C" __global__ void use_after_free(unsigned tag, unsigned *data, unsigned long long count)
{
	unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;

	for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		data[i] = tag;
}
KERNEL(use_after_free)

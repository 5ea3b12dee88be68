/*
 * bounded - a clean kernel that promises blocks of at most 128 threads; larger ones are refused
 * (701).
 */
#include "kernel.h"

#ifdef __CUDACC__
#define BOUNDS __launch_bounds__(128)
#else
#define BOUNDS
#endif

extern "C" __global__ void BOUNDS bounded(unsigned tag, unsigned *data, unsigned count)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i] = tag;
}
KERNEL_MAX_THREADS(bounded, 128)

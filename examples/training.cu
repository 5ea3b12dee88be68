/*
 * training - the kernels of demo.c. scatter_add trusts the row numbers that it is given, as most
 * such kernels do.
 */
#include "kernel.h"

extern "C" __global__ void decay(float *table, unsigned count, float factor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		table[i] *= factor;
}
KERNEL(decay)

extern "C" __global__ void scatter_add(float *table, const unsigned long long *rows,
				       const float *gradients, unsigned count)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		table[rows[i]] += gradients[i];
}
KERNEL(scatter_add)

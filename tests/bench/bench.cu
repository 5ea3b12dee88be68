/* bench - clean kernels for launch_cost.c: no work, work by time, work by memory. */
#include "kernel.h"

extern "C" __global__ void empty(void)
{
}
KERNEL(empty)

extern "C" __global__ void eight_arguments(float *a, float *b, float *c, unsigned n, float x,
					   float y, unsigned m, unsigned flags)
{
	if (n == ~0u)
		a[m] = b[m] * x + c[m] * y + flags;
}
KERNEL(eight_arguments)

/* PyTorch passes the tensors of its optimizers' kernels in a structure like this. */
struct tensor_lists {
	float *addresses[440];
	unsigned sizes[20];
};
extern "C" __global__ void lists(unsigned n, struct tensor_lists tensors)
{
	if (n == ~0u)
		tensors.addresses[0][n] = tensors.sizes[0];
}
KERNEL(lists)

/* Launch it with one thread. */
extern "C" __global__ void spin_for(unsigned microseconds)
{
	unsigned long long end = GLOBAL_TIMER_NS() + microseconds * 1000ull;

	while (GLOBAL_TIMER_NS() < end)
		;
}
KERNEL(spin_for)

extern "C" __global__ void touch(unsigned *data, unsigned count)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[i]++;
}
KERNEL(touch)

/*
 * stack_overflow - a recursion that never ends. Its frame is written before the call and read
 * after it, so that no compiler turns the call into a loop.
 */
#include "kernel.h"

static __device__ __noinline__ unsigned descend(volatile unsigned *data, unsigned depth)
{
	volatile unsigned frame[32];

	for (unsigned i = 0; i < 32; i++)
		frame[i] = data[0] + depth;
	return descend(data, depth + 1) + frame[depth % 32];
}

extern "C" __global__ void stack_overflow(unsigned tag, unsigned *data)
{
	if (is_chosen_thread())
		data[0] = descend(data, tag);
}
KERNEL(stack_overflow)

/* illegal_instruction - a forged function pointer makes the GPU run data as code. */
#include "kernel.h"

extern "C" __global__ void illegal_instruction(unsigned tag, unsigned *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = tag;
	if (is_chosen_thread())
		execute_data((unsigned long long)data);
}
KERNEL(illegal_instruction)

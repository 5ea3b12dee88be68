/*
 * basic.cu - small kernels for the tests of the simulated driver: valid ones, and one per fault.
 */
#include "simcuda_kernel.h"

extern "C" {

__device__ int total = 7;

__global__ void add(int *data, int value)
{
	atomicAdd(&data[0], value);
}

/* Append to a list of a length followed by values, which shows the order of launches. */
__global__ void append(int *list, int value)
{
	list[0]++;
	list[list[0]] = value;
}

/* Draw the next ticket: the launch with the lower ticket ran earlier. */
__global__ void draw(int *counter, int *ticket)
{
	*ticket = atomicAdd(counter, 1) + 1;
}

/* Each thread writes its global index. */
__global__ void index_of(unsigned *data)
{
	unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned index = block * blockDim.x * blockDim.y * blockDim.z + thread;

	data[index] = index;
}

__global__ void mixed(char a, double b, short c, int *data)
{
	data[0] = a + (int)b + c;
}

__global__ void spin(unsigned duration_us)
{
	unsigned long long start = GLOBAL_TIMER_NS();

	while (GLOBAL_TIMER_NS() - start < duration_us * 1000ull)
		__nanosleep(1000);
}

/* Wait until the host sets the word. */
__global__ void wait_for(volatile int *flag)
{
	while (*flag == 0)
		__nanosleep(20000);
}

__global__ void store(int *data, size_t index, int value)
{
	data[index] = value;
}

__global__ void misaligned(char *data)
{
	*reinterpret_cast<volatile int *>(data + 1) = 1;
}

__global__ void check(int value)
{
	assert(value == 0);
}

__global__ void trap()
{
	__trap();
}

__global__ void illegal()
{
	ILLEGAL_INSTRUCTION();
}

__global__ void jump(void (*target)())
{
	target();
}

__device__ __noinline__ int deeper(volatile int *depth)
{
	volatile int local[64] = {*depth};

	*depth = local[0] + 1;
	return deeper(depth) + local[1];
}

__global__ void recurse()
{
	volatile int depth = 0;

	deeper(&depth);
}

__global__ void shared_store(unsigned index)
{
	DYNAMIC_SHARED(volatile int, words);

	words[index] = 1;
}

/* Reverse a block's values: every thread must write before any thread reads. */
__global__ void reverse(int *data)
{
	__shared__ int copy[256];

	copy[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

__global__ void add_total(int *data)
{
	data[0] += total;
	total++;
}

/* Fault if the word is ten or more. */
__global__ void fault_at_ten(int *data)
{
	if (data[0] >= 10)
		*reinterpret_cast<volatile int *>(64) = 1;
}

__global__ void __launch_bounds__(64) bounded(int *data)
{
	atomicAdd(&data[0], 1);
}
}

KERNEL(add)
KERNEL(append)
KERNEL(draw)
KERNEL(index_of)
KERNEL(mixed)
KERNEL(spin)
KERNEL(wait_for)
KERNEL(store)
KERNEL(misaligned)
KERNEL(check)
KERNEL(trap)
KERNEL(illegal)
KERNEL(jump)
KERNEL(recurse)
KERNEL(shared_store)
KERNEL(reverse)
KERNEL(add_total)
KERNEL(fault_at_ten)
KERNEL_MAX_THREADS(bounded, 64)
GLOBAL(total)

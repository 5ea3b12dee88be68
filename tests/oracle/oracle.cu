/*
 * oracle - the kernels of the random programs. Its last argument makes each kernel right or wrong,
 * so that a name alone never reveals the culprit. Each kernel first keeps its stream busy for a
 * time.
 */
#include "kernel.h"

static __device__ void be_busy(unsigned microseconds)
{
	unsigned long long end;

	if (microseconds == 0 || !is_chosen_thread())
		return;
	end = GLOBAL_TIMER_NS() + microseconds * 1000ull;
	while (GLOBAL_TIMER_NS() < end)
		__nanosleep(1000);
}

extern "C" __global__ void stray(unsigned tag, unsigned *data, unsigned microseconds,
				 unsigned long long index)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		data[index] = tag;
}
KERNEL(stray)

extern "C" __global__ void crooked(unsigned tag, unsigned *data, unsigned microseconds,
				   unsigned long long offset)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		*(volatile unsigned *)((char *)data + offset) = tag;
}
KERNEL(crooked)

/* An address that no memory can have: an exception, where `stray` has a memory fault. */
extern "C" __global__ void astray(unsigned tag, unsigned *data, unsigned microseconds,
				  unsigned long long offset)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		*(volatile unsigned *)((char *)data + offset) = tag;
}
KERNEL(astray)

extern "C" __global__ void beyond(unsigned tag, unsigned *data, unsigned microseconds,
				  unsigned long long index)
{
	DYNAMIC_SHARED(unsigned, pool);

	be_busy(microseconds);
	data[threadIdx.x] = tag;
	if (index && is_chosen_thread())
		((volatile unsigned *)pool)[index] = tag;
}
KERNEL(beyond)

extern "C" __global__ void quit(unsigned tag, unsigned *data, unsigned microseconds,
				unsigned long long is_wrong)
{
	be_busy(microseconds);
	data[threadIdx.x] = tag;
	if (is_wrong && is_chosen_thread())
		__trap();
}
KERNEL(quit)

extern "C" __global__ void claim(unsigned tag, unsigned *data, unsigned microseconds,
				 unsigned long long is_wrong)
{
	be_busy(microseconds);
	data[threadIdx.x] = tag;
	assert(!is_wrong || !is_chosen_thread());
}
KERNEL(claim)

/* Fails or not, by a word in device memory at the time of its start. */
extern "C" __global__ void through(unsigned tag, unsigned *data, unsigned microseconds,
				   const unsigned long long *index)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		data[*index] = tag;
}
KERNEL(through)

/* The value loaded decides the value stored, so the warp waits for the load. */
static __device__ void copy_word(unsigned *to, const volatile unsigned *from, unsigned tag)
{
	*to = *from == tag ? 0 : tag;
}

extern "C" __global__ void fetch(unsigned tag, unsigned *data, unsigned microseconds,
				 unsigned long long index)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		copy_word(data, data + index, tag);
}
KERNEL(fetch)

extern "C" __global__ void fetch_through(unsigned tag, unsigned *data, unsigned microseconds,
					 const unsigned long long *index)
{
	be_busy(microseconds);
	if (is_chosen_thread())
		copy_word(data, data + *index, tag);
}
KERNEL(fetch_through)

/* Accesses every page of its array. */
extern "C" __global__ void sweep(unsigned tag, unsigned *data, unsigned microseconds,
				 unsigned long long count)
{
	unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x * 1024;

	be_busy(microseconds);
	for (unsigned long long i = (blockIdx.x * blockDim.x + threadIdx.x) * 1024ull; i < count;
	     i += stride)
		data[i] = tag;
}
KERNEL(sweep)

/* Let a following programmatic launch start at once, if the device can. */
extern "C" __global__ void early(unsigned tag, unsigned *data, unsigned microseconds,
				 unsigned long long unused)
{
	(void)unused;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
	asm volatile("griddepcontrol.launch_dependents;");
#endif
	be_busy(microseconds);
	data[threadIdx.x] = tag;
}
KERNEL(early)

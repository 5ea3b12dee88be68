/*
 * kernels.cu - kernels that make one fault each, if their arguments say so. The C program, the
 * library for PyTorch and CuPy's modules are made of this file. nvrtc compiles it too, so it
 * includes no host headers there. "culprit: KERNEL" marks the lines where that kernel's fault is.
 */
#ifndef __CUDACC_RTC__ /* nvrtc defines assert() itself */
#include <cassert>
#endif

extern "C" __global__ void spin(long ticks)
{
	long start = clock64();
	while (clock64() - start < ticks)
		;
}
extern "C" __global__ void store(char *to)
{
	*(volatile int *)to = 1; /* culprit: store */
}
extern "C" __global__ void load(const char *from, int *out)
{
	*out = *(volatile const int *)from; /* culprit: load */
}
extern "C" __global__ void add(char *to)
{
	atomicAdd((int *)to, 1); /* culprit: add */
}
extern "C" __global__ void load_vector(const char *from, int4 *out)
{
	*out = *(const int4 *)from; /* culprit: load_vector */
}
/* This kernel and the next one write the address of their array to out[1]. */
extern "C" __global__ void store_local(int at, int *out)
{
	int values[64];
	for (int i = 0; i < 64; i++)
		values[i] = i;
	out[1] = (int)__cvta_generic_to_local(values);
	((volatile int *)values)[at] = 5; /* culprit: store_local */
	*out = values[at & 7];
}
extern "C" __global__ void store_shared(int at, int *out)
{
	__shared__ int values[4];
	out[1] = (int)__cvta_generic_to_shared(values);
	((volatile int *)values)[at] = 5; /* culprit: store_shared */
	__syncthreads();
	*out = values[0];
}
__device__ __forceinline__ void poke(char *to)
{
	*(volatile int *)to = 1; /* culprit: store_inlined */
}
__device__ __forceinline__ void poke_twice(char *to)
{
	poke(to);
	poke(to + 8);
}
extern "C" __global__ void store_inlined(char *to)
{
	poke_twice(to);
}
extern "C" __global__ void add_wide(char *to)
{
	atomicAdd((unsigned long long *)to, 1); /* culprit: add_wide */
}
/* The compiler decides which instruction touches the stack first. */
__device__ __noinline__ int deep(int n, int *out) /* culprit: overflow_stack */
{                                                 /* culprit: overflow_stack */
	volatile int values[40];
	for (int i = 0; i < 40; i++) /* culprit: overflow_stack */
		values[i] = n;       /* culprit: overflow_stack */
	return n <= 0 ? values[3] : deep(n - 1, out) + values[n % 40];
}
extern "C" __global__ void overflow_stack(int n, int *out)
{
	*out = deep(n, out);
}
extern "C" __global__ void run_data(void (*code)())
{
	if (code)
		code();
}
extern "C" __global__ void stop(int now)
{
	if (now)
		asm("trap;");
}
extern "C" __global__ void claim(int limit)
{
	assert(limit > (int)threadIdx.x);
}
extern "C" __global__ void store_pages(char *to, long stride)
{
	to += (blockIdx.x * 256L + threadIdx.x) * stride;
	*(volatile int *)to = 1; /* culprit: store_pages */
}

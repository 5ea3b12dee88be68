/*
 * kernel.h - what every file of the corpus includes, so that one source runs on a GPU and on
 * simcuda. Under nvcc it adds next to nothing; a host compiler gets CUDA's words and the
 * registration of kernels from simcuda_kernel.h. The helpers below are the only places where
 * device and host code differ.
 *
 * The first parameter of every kernel is `unsigned tag`, a number that the host gives to one
 * launch only: it is how a test knows which launch a verdict speaks of.
 */
#ifndef CULPRIT_KERNELS_KERNEL_H
#define CULPRIT_KERNELS_KERNEL_H

#ifdef __CUDACC__

#include <assert.h>

#define KERNEL(name)
#define KERNEL_MAX_THREADS(name, max_threads)
#define GLOBAL(name)
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]

static __device__ inline unsigned long long global_timer_ns(void)
{
	unsigned long long ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}
#define GLOBAL_TIMER_NS() global_timer_ns()

/* Runs the bytes at address as instructions: no opcode of the device is illegal by name. */
static __device__ inline void execute_data(unsigned long long address)
{
	void (*code)(void) = (void (*)(void))address;

	code();
}

#else

#include "simcuda_kernel.h"

static inline void execute_data(unsigned long long address)
{
	((void (*)(void))(uintptr_t)address)();
}

#endif

/* True in one thread of the launch: the last block's first. */
static __device__ inline bool is_chosen_thread(void)
{
	return blockIdx.x == gridDim.x - 1 && threadIdx.x == 0;
}

#endif

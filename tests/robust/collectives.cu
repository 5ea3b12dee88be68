/*
 * collectives.cu - kernels that are named like NCCL's and wait like them, until all ranks have
 * reached the same kernel. The processes share the memory of the counters.
 */
#include "kernel.h"

#ifdef __CUDACC__
#define ARRIVE(counter)  atomicAdd_system(counter, 1u)
#define ARRIVED(counter) (*(volatile unsigned *)(counter))
#else
#define ARRIVE(counter)  __atomic_fetch_add(counter, 1u, __ATOMIC_SEQ_CST)
#define ARRIVED(counter) __atomic_load_n(counter, __ATOMIC_SEQ_CST)
#endif

#define COLLECTIVE(name)                                                      \
	extern "C" __global__ void name(unsigned *n_arrived, unsigned wanted) \
	{                                                                     \
		ARRIVE(n_arrived);                                            \
		while (ARRIVED(n_arrived) < wanted)                           \
			__nanosleep(1000000);                                 \
	}                                                                     \
	KERNEL(name)

COLLECTIVE(ncclDevKernel_AllReduce_Sum_f32_RING_LL)
COLLECTIVE(ncclDevKernel_AllReduce_Sum_f16_RING_LL)
COLLECTIVE(ncclDevKernel_Generic_4)
COLLECTIVE(ncclDevKernel_Broadcast_RING_LL)

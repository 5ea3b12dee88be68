/* spin - clean: keeps its stream busy for a time. Launch it with one thread. */
#include "kernel.h"

extern "C" __global__ void spin(unsigned tag, unsigned microseconds)
{
	unsigned long long end = GLOBAL_TIMER_NS() + microseconds * 1000ull;

	(void)tag;
	while (GLOBAL_TIMER_NS() < end)
		;
}
KERNEL(spin)

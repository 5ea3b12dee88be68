/*
 * store_through - stores where a word in device memory says. A graph that holds it is right or
 * wrong by what that word says when the graph is replayed.
 */
#include "kernel.h"

extern "C" __global__ void store_through(unsigned tag, unsigned *data,
					 const unsigned long long *index)
{
	if (is_chosen_thread())
		data[*index] = tag;
}
KERNEL(store_through)

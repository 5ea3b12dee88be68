/* misaligned - one thread stores a word at an address that is no multiple of a word. */
#include "kernel.h"

extern "C" __global__ void misaligned(unsigned tag, unsigned *data, unsigned long long offset)
{
	char *bytes = (char *)data;

	if (is_chosen_thread())
		*(volatile unsigned *)(bytes + offset) = tag;
}
KERNEL(misaligned)

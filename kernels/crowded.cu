/*
 * crowded - clean, but its threads hold so many registers that a block of 1024 does not fit:
 * that launch is refused (701) and never runs.
 */
#include "kernel.h"

extern "C" __global__ void crowded(unsigned tag, unsigned *data)
{
	unsigned held[96];

	for (int i = 0; i < 96; i++)
		held[i] = data[i] * tag;
	for (int round = 0; round < 4; round++)
		for (int i = 0; i < 96; i++)
			held[i] = held[(i * 7 + 3) % 96] ^ (held[i] << 3) ^ tag;
	for (int i = 0; i < 96; i++)
		data[i] = held[i];
}
KERNEL_MAX_THREADS(crowded, 640)

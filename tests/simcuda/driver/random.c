/*
 * random.c - a xorshift generator. The order of ready streams also depends on how threads are
 * scheduled, so a seed makes runs nearly, but not exactly, repeatable.
 */
#include "random.h"

#include "settings.h"

uint64_t random_below(uint64_t bound)
{
	static uint64_t state; /* guarded by sim_lock */
	if (state == 0)
		state = settings.seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % bound;
}

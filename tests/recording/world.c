/* world.c - the random numbers and the steps of a program. */
#include "world.h"

struct world world;
struct random dice;
void (*world_step)(void);

unsigned draw(unsigned below)
{
	return random_below(&dice, below);
}

void wait_for_all(void)
{
	(void)say("cuCtxSynchronize", cuCtxSynchronize());
}

CUstream any_stream(void)
{
	return world.streams[draw(N_STREAMS)]; /* one that does not exist is the legacy one */
}

void world_run(unsigned n)
{
	world.streams[0] = draw(2) ? NULL : CU_STREAM_LEGACY;
	world.streams[1] = CU_STREAM_PER_THREAD;
	for (unsigned i = 0; i < n; i++)
		world_step();
}

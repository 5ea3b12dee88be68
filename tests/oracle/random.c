/*
 * random.c - splitmix64 (Steele, Lea, Flood 2014): any seed, also 0, gives a good sequence.
 */
#include "random.h"

static uint64_t next(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

unsigned random_below(struct random *random, unsigned bound)
{
	return (unsigned)(next(random) % bound);
}

unsigned random_between(struct random *random, unsigned low, unsigned high)
{
	return low + random_below(random, high - low + 1);
}

bool random_once_in(struct random *random, unsigned n)
{
	return random_below(random, n) == 0;
}

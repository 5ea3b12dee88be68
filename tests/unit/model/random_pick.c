/*
 * random_pick.c - see random_pick.h.
 */
#include "model/random_pick.h"

uint32_t random_pick(uint64_t *random, uint32_t n)
{
	/* A multiplicative generator: the high bits are good enough for stories. */
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*random >> 33) % n);
}

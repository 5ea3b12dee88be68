/*
 * hash.h - hashes of numbers, for tables in memory. A product's high bits depend on all bits of the
 * number, its low ones do not: take a slot from bit 32 on.
 */
#ifndef CULPRIT_BASE_HASH_H
#define CULPRIT_BASE_HASH_H

#include <stdint.h>

/* Fibonacci hashing: by 2^64 divided by the golden ratio. */
static inline uint64_t hash_word(uint64_t word)
{
	return word * 0x9e3779b97f4a7c15ull;
}

/* For the few slots of a thread's own tables, in less code: take them from the highest bits. */
static inline uint32_t hash_narrow(uint64_t word)
{
	return (uint32_t)word * 0x9e3779b1u;
}

static inline uint64_t hash_pair(uint64_t one, uint64_t other)
{
	return hash_word(one ^ other * 0xff51afd7ed558ccdull);
}

#endif

/*
 * hash.h - hashes of numbers and strings, for tables in memory. Only the high bits of a product
 * depend on all bits of the number: take a slot from bit 32 on.
 */
#ifndef CULPRIT_BASE_HASH_H
#define CULPRIT_BASE_HASH_H

#include <stdint.h>

/* Fibonacci hashing: multiply by 2^64 divided by the golden ratio. */
static inline uint64_t hash_word(uint64_t word)
{
	return word * 0x9e3779b97f4a7c15ull;
}

/* A hash with less code, for the few slots of a thread's own tables: take its highest bits. */
static inline uint32_t hash_narrow(uint64_t word)
{
	return (uint32_t)word * 0x9e3779b1u;
}

static inline uint64_t hash_pair(uint64_t one, uint64_t other)
{
	return hash_word(one ^ other * 0xff51afd7ed558ccdull);
}

/* FNV-1a of a string: simple to reproduce in any language. All bits can be used. */
static inline uint64_t hash_string(const char *string)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	for (; *string; string++)
		hash = (hash ^ (unsigned char)*string) * 0x100000001b3ull;
	return hash;
}

#endif

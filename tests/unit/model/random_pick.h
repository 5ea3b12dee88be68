/*
 * random_pick.h - the random numbers of a story: everything in it follows from its seed.
 */
#ifndef CULPRIT_TESTS_RANDOM_PICK_H
#define CULPRIT_TESTS_RANDOM_PICK_H

#include <stdint.h>

/* Returns the next number, less than n. *random is the seed, and is advanced. */
uint32_t random_pick(uint64_t *random, uint32_t n);

#endif

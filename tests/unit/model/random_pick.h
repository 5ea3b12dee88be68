/*
 * random_pick.h - the random numbers of a story: all that it does follows from its seed.
 */
#ifndef CULPRIT_TESTS_RANDOM_PICK_H
#define CULPRIT_TESTS_RANDOM_PICK_H

#include <stdint.h>

/* The next one, less than n; *random is the seed, and goes on. */
uint32_t random_pick(uint64_t *random, uint32_t n);

#endif

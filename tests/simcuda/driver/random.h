/*
 * random.h - pseudo-random numbers, seeded by SIMCUDA_SEED. All functions: lock held.
 */
#ifndef SIMCUDA_RANDOM_H
#define SIMCUDA_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Return a number in [0, bound); bound > 0. */
uint64_t random_below(uint64_t bound);

#endif

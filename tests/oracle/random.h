/*
 * random.h - the numbers that programs are made from: the same for a seed on every machine.
 */
#ifndef CULPRIT_ORACLE_RANDOM_H
#define CULPRIT_ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* Return a number from 0 to bound - 1; bound is at least 1. */
unsigned random_below(struct random *random, unsigned bound);

/* Return a number from low to high, both included. */
unsigned random_between(struct random *random, unsigned low, unsigned high);

/* True once in n. */
bool random_once_in(struct random *random, unsigned n);

#endif

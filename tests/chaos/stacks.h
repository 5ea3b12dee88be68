/*
 * stacks.h - what the kinds of places share that tests/chaos/main.c launches from. Any thread.
 */
#ifndef CULPRIT_CHAOS_STACKS_H
#define CULPRIT_CHAOS_STACKS_H

#include <stddef.h>

/* By the calling thread, since its kind of place began. */
extern __thread unsigned chaos_launched;

/* Makes the calling thread's random numbers other ones than those of other indexes. */
void chaos_seed(unsigned index);

/* The calling thread's random number below n. */
unsigned chaos_random(unsigned n);

/* Launches a few times, from different depths, and counts them. */
void chaos_launch(void);

/*
 * Memory between two pages that nobody may touch, from the same few addresses again and again:
 * each thread has its own, two at once. Returns where it ends.
 */
char *chaos_map(size_t size);
void chaos_unmap(char *end, size_t size);

#endif

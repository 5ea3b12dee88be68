/*
 * stacks.h - helpers that are shared by the kinds of places from which tests/chaos/main.c launches.
 * Any thread may call them.
 */
#ifndef CULPRIT_CHAOS_STACKS_H
#define CULPRIT_CHAOS_STACKS_H

#include <stddef.h>

/* The calling thread's launches since its kind of place began. */
extern __thread unsigned chaos_launched;

/* Seed the calling thread's random numbers; each index gives different ones. */
void chaos_seed(unsigned index);

/* The calling thread's random number below n. */
unsigned chaos_random(unsigned n);

/* Launch a few times, from different depths, and count the launches. */
void chaos_launch(void);

/*
 * Map memory between two inaccessible pages. Each thread reuses a few addresses of its own, two at
 * once. Returns the end of the memory.
 */
char *chaos_map(size_t size);
void chaos_unmap(char *end, size_t size);

#endif

/*
 * cold_caches.h - evict from the processor's caches what the last launch left there, as a program's
 * own work between two launches does: the interpreter of a PyTorch process touches megabytes.
 */
#ifndef CULPRIT_TESTS_BENCH_COLD_CACHES_H
#define CULPRIT_TESTS_BENCH_COLD_CACHES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Prepare data_bytes of data to walk over, which must exceed the cache to displace. Returns 0, or
 * -errno without memory for the buffers. Call this once, before any thread calls cold_caches_make.
 */
int cold_caches_prepare(size_t data_bytes);

/* Walks over data and code, each larger than the cache that it is to displace. Any thread. */
void cold_caches_make(void);

/*
 * The processor's own clock, in ticks: to read it touches no memory, where the C library's clock
 * would warm the lines that the launch is about to need. Any thread.
 */
uint64_t cold_caches_ticks(void);

#endif

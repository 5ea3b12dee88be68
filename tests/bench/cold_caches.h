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

/* Walk over data and code, each larger than the cache to displace. Any thread may call this. */
void cold_caches_make(void);

/*
 * Return the processor's own clock in ticks. Reading it does not access memory; the C library's
 * clock would warm cache lines that the launch is about to need. Any thread may call this.
 */
uint64_t cold_caches_ticks(void);

#endif

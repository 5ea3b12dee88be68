/*
 * clock.h - the journal's only clock.
 */
#ifndef CULPRIT_RECORD_CLOCK_H
#define CULPRIT_RECORD_CLOCK_H

#include <stdint.h>

/* Return CLOCK_MONOTONIC in nanoseconds. Signal-safe. */
uint64_t clock_ns(void);

/*
 * Return the kernel's own CLOCK_MONOTONIC, at the price of a system call. clock_gettime may be
 * replaced (libfaketime, a simulator) by a time that jumps or stops. Use this for deadlines, which
 * the kernel judges, and for loops that must finish. Signal-safe.
 */
uint64_t clock_kernel_ns(void);

/* Return the kernel's CLOCK_MONOTONIC_RAW, which nothing sets, at the same price. Signal-safe. */
uint64_t clock_raw_ns(void);

/*
 * Return the processor time of the calling thread, at the same price; 0 if the kernel refuses.
 * See clock_wait.h. Signal-safe.
 */
uint64_t clock_thread_ns(void);

#endif

/*
 * clock.h - the one clock of the journal.
 */
#ifndef CULPRIT_RECORD_CLOCK_H
#define CULPRIT_RECORD_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds. Signal-safe. */
uint64_t clock_ns(void);

/*
 * The same of the kernel itself, at the price of a system call: clock_gettime may be another's
 * (libfaketime, a simulator), whose time jumps or stands still. For deadlines, which the kernel
 * judges, and loops that must end. Signal-safe.
 */
uint64_t clock_kernel_ns(void);

#endif

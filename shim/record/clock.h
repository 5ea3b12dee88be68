/*
 * clock.h - the one clock of the journal.
 */
#ifndef CULPRIT_RECORD_CLOCK_H
#define CULPRIT_RECORD_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds. Signal-safe. */
uint64_t clock_ns(void);

#endif

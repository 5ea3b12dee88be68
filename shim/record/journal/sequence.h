/*
 * sequence.h - the number of the process's newest submission. It is the clock by which the journal
 * puts everything else between two submissions.
 */
#ifndef CULPRIT_RECORD_SEQUENCE_H
#define CULPRIT_RECORD_SEQUENCE_H

#include <stdint.h>

/* For the functions below, each of which is one instruction in its caller. */
extern __attribute__((visibility("hidden"))) uint64_t sequence_word;

/* Return the newest submission's number, 0 before the first. Any thread. Signal-safe. */
static inline uint64_t sequence_newest(void)
{
	return __atomic_load_n(&sequence_word, __ATOMIC_RELAXED);
}

/* Return the number of a submission that starts now. Any thread. */
static inline uint64_t sequence_next(void)
{
	return __atomic_add_fetch(&sequence_word, 1, __ATOMIC_RELAXED);
}

#endif

/*
 * failure.h - the one failure of a process: recognising it, and finding its culprit.
 */
#ifndef CULPRIT_CALL_FAILURE_H
#define CULPRIT_CALL_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver_calls.h"

struct thread;

/*
 * May the success that this call has returned be a false one, which hides a failure? Only where
 * culprit has GPU core dumps made: the driver may then go on as if nothing had happened. Looks for
 * the dump after calls whose success tells something; after the failure it is every call that would
 * return its code if dumps were off. `sequence` is the submission's, 0 if it is none: one that only
 * queues work, and began before the failure, stays what it was. Only where coredumps_are_watched().
 * Any thread.
 */
bool failure_is_hidden(enum driver_call id, uint64_t sequence);

/*
 * A call returned `result`, which is no success, or one that failure_is_hidden() doubts. If it is
 * sticky, and the first, and the driver or a core dump confirms it, this thread attributes it,
 * writes the verdict into the bundle and prints it. Other threads wait for that: whoever has seen
 * the code can end the process without losing the verdict. Returns the result that the call would
 * have had without core dumps. Slot owner only; no lock held.
 */
CUresult failure_consider(struct thread *thread, enum driver_call id, CUresult result, void *frame);

/* Was a failure confirmed? Any thread. Signal-safe. */
bool failure_has_happened(void);

/* Its code; CUDA_SUCCESS before it. Any thread. */
CUresult failure_code(void);

/* A cleanup call was made harmless. Any thread, after a failure. */
void failure_count_cleanup(void);

/*
 * Waits, for a second at most, until an attribution under way in another thread has printed its
 * verdict. Any thread.
 */
void failure_wait_for_verdict(void);

/* "exact: launch #70, scatter_oob" once the verdict stands, else NULL. Any thread. */
const char *failure_headline(CUresult code);

#endif

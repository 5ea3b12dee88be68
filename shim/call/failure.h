/*
 * failure.h - the one failure of a process: recognising it, and finding its culprit.
 */
#ifndef CULPRIT_CALL_FAILURE_H
#define CULPRIT_CALL_FAILURE_H

#include <stdbool.h>

#include "driver_calls.h"

struct thread;

/*
 * A call returned `result`, which is no success. If it is sticky, and the first, and the driver
 * confirms it, this thread attributes it, writes the verdict into the bundle and prints it. Other
 * threads with a sticky code wait for that: whoever has seen the code can end the process without
 * losing the verdict. Slot owner only.
 */
void failure_consider(struct thread *thread, enum driver_call id, CUresult result, void *frame);

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

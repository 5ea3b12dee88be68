/*
 * checkpoint.h - this process is locked for a checkpoint, checkpointed and restored, as far as it
 * does so itself (cuCheckpointProcess* with its own number): another process that does it is not
 * seen here.
 *
 * While it is locked, the driver keeps all other calls waiting. A checkpoint gives the GPU back,
 * with the memory in which the driver's words of progress lie: so their readers leave before. What
 * a restored driver tells of earlier work is not documented: its words are not believed any more,
 * and no verdict is exact (FAILURE_CHECKPOINTED).
 */
#ifndef CULPRIT_RECORD_CHECKPOINT_H
#define CULPRIT_RECORD_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* The driver has locked or unlocked the process. Any thread. */
void checkpoint_locked(bool is_locked);

/* CLOCK_MONOTONIC of the lock; 0: the process is not locked. Any thread. */
uint64_t checkpoint_locked_ns(void);

/* A checkpoint is about to be made, and has been made or refused. Takes the lists' locks. */
void checkpoint_begins(void);
void checkpoint_ended(bool is_made);

/* Has one been made? Any thread. */
bool checkpoint_was_made(void);

#endif

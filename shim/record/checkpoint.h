/*
 * checkpoint.h - whether this process is locked for a checkpoint, checkpointed or restored. Only
 * its own calls count (cuCheckpointProcess* with its own number); those of other processes are
 * not seen.
 *
 * While the process is locked, the driver keeps all other calls waiting. A checkpoint releases the
 * GPU and the memory of the driver's progress counters, so readers leave before it. The meaning of
 * a restored driver's counters for earlier work is not documented. The counters are not believed
 * any more, and no verdict is exact (FAILURE_CHECKPOINTED).
 */
#ifndef CULPRIT_RECORD_CHECKPOINT_H
#define CULPRIT_RECORD_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Record that the driver has locked or unlocked the process. Any thread. */
void checkpoint_locked(bool is_locked);

/* Return the CLOCK_MONOTONIC time of the lock in ns, 0 if the process is not locked. Any thread. */
uint64_t checkpoint_locked_ns(void);

/* Call before a checkpoint, and after it was made or rejected. Take the lists' locks. */
void checkpoint_begins(void);
void checkpoint_finished(bool is_made);

/* True if a checkpoint has been made. Any thread. */
bool checkpoint_was_made(void);

#endif

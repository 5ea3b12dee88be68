/*
 * fault_events.h - the memory faults that nvidia-uvm reports of this process: two queues in memory
 * that the kernel writes, open from the first context to the last. One has fatal faults. The other
 * has all faults of the GPU, with the GPU's time, which also come from managed memory and are
 * served then. It may be missing.
 *
 * A tracker keeps libcuda's own file of nvidia-uvm open, so it must close when the last context
 * ends, before a checkpoint, and in a forked child. Its descriptor is in the host's table, as those
 * of libcuda are, and at a high number. The host may close it and use the number again. So each use
 * first checks that the descriptor is still ours.
 *
 * There is no thread: the kernel queues an event some 100 ms before any call returns the error, so
 * the queue is read at the failure. A thread could only have frozen the progress counters earlier.
 * It would wake in every process, and the first event is in the queue all the same.
 */
#ifndef CULPRIT_RECORD_FAULT_EVENTS_H
#define CULPRIT_RECORD_FAULT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/journal_format.h"

/*
 * Open the trackers unless they are open, and unless the driver refused them before. All failures
 * are silent. Any thread.
 */
void fault_events_open(void);

/* Close the tracker, as no work is left that may fault. It can be opened again. Any thread. */
void fault_events_close(void);

/*
 * Close the tracker, and leave it closed until fault_events_resume(). Its events are then late. Any
 * thread.
 */
void fault_events_pause(void);
void fault_events_resume(void);

/* Close the child's copies of it, also of one that was being opened. Only in the child of a fork,
 * which has one thread. */
void fault_events_forget(void);

/*
 * Close both for good, as the program has managed memory: while nvidia-uvm has a tracker of a
 * process, each access of the host that brings back a page waits for a thread of the kernel
 * (uvm_tools_flush_events() in its fault handler), which made a loop of such accesses 25 % slower
 * on an H100. They stay open if a fatal fault is in the queue. Any thread.
 */
void fault_events_end_for_managed(void);

/*
 * Do so if faults were served although no call made managed memory, as for __managed__ variables:
 * first close the queue of times, because the report of each fault takes time; then, if no fatal
 * fault follows within a second, the other. Return true if that happened now. Never waits for
 * another thread. Any thread, now and then.
 */
bool fault_events_watch_served(void);

/* Return why it is not open, for people; NULL if it is open. Any thread. */
const char *fault_events_trouble(void);

/* True if it is open. Any thread. Signal-safe. */
bool fault_events_are_on(void);

/*
 * Stop the events, and write the fault rows of all that came: of each queue, after one summary row.
 * Return the number of rows, at most FAULT_EVENTS_MAX + FAULT_TIMES_MAX + 2. A queue that was not
 * open, or that contradicts itself, has no rows. Any thread.
 */
size_t fault_events_read(struct fault_row *out_rows);

#endif

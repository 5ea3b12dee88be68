/*
 * aside.h - do work that the kernel may never finish, such as on the disk of a dead file server,
 * without blocking a thread of the host.
 *
 * A process of its own does the work and shares all memory with the host. A thread would keep the
 * host from exiting while the kernel holds it; a forked copy of a big process is slow to make. The
 * process has no descriptors and takes no signals. Its exit sends no signal, and a host that waits
 * for any child does not see it.
 */
#ifndef CULPRIT_RECORD_ASIDE_H
#define CULPRIT_RECORD_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Prepare; under valgrind a thread does the work instead. Start-up only. */
void aside_start(void);

/*
 * Do `work` aside, one piece of work at a time. Wait at most wait_ns for it, including the work
 * that is still being done for others, and a second more if the kernel has not made the process by
 * then. Return 0 if it has returned: its stores are visible. If no process can be made, a thread
 * does the work. -ETIMEDOUT: it still runs, or is kept until the work for others has returned; of
 * several kept ones only the newest is done. Either is done even if the host exits now. Another
 * -errno: it never started. `work` holds no lock of ours while it waits for a disk, and must not
 * use getpid(). Any thread.
 */
int aside_do(void (*work)(void), uint64_t wait_ns);

/* True while work is being done. Any thread. */
bool aside_is_busy(void);

#endif

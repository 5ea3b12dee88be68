/*
 * aside.h - work that may never come back from the kernel, as on the disk of a dead file server,
 * done where no thread of the host waits for it.
 *
 * It is done by a process of its own that shares all memory with the host. A thread would keep the
 * host from ending while the kernel holds it; a forked copy of a big process is slow to make. The
 * process has no descriptors and takes no signals. Its exit sends none, and a host that waits for
 * any child does not see it.
 */
#ifndef CULPRIT_RECORD_ASIDE_H
#define CULPRIT_RECORD_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Under valgrind a thread has to do. Start-up only. */
void aside_start(bool is_under_valgrind);

/*
 * Does `work` aside, one piece of work at a time, and waits for it: at most wait_ns, together with
 * what is still being done for others. 0: it has returned, and what it stored is visible; but
 * where there was no process for it, it was never begun. -ETIMEDOUT: it goes on, or it was not
 * begun as other work goes on. Another -errno: not begun. `work` holds no lock of ours while it
 * waits for a disk, and must not use getpid(). Any thread.
 */
int aside_do(void (*work)(void), uint64_t wait_ns);

#endif

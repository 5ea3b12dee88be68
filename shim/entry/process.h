/*
 * process.h - start and end of a process that uses the driver, forked children, and unloaded code.
 */
#ifndef CULPRIT_ENTRY_PROCESS_H
#define CULPRIT_ENTRY_PROCESS_H

/* Start culprit at the first successful cuInit of this process. Any thread. */
void process_driver_ready(void);

/*
 * The abort hook: code at `caller` calls abort(). Returns the real abort, which the hook jumps to.
 * For nearly every caller this only reads two words. Any thread, signal handlers too.
 */
void (*process_abort(const void *caller))(void);

#endif

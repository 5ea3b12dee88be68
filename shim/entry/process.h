/*
 * process.h - the beginning and the end of a process that uses the driver, its children by fork,
 * and code that leaves it.
 */
#ifndef CULPRIT_ENTRY_PROCESS_H
#define CULPRIT_ENTRY_PROCESS_H

/* A cuInit has succeeded: the first in this process starts culprit. Any thread. */
void process_driver_ready(void);

/*
 * The abort door: code at `caller` calls abort(). Returns the real abort, where the door goes on.
 * Any thread, signal handlers too: for nearly every caller two words are read, nothing more.
 */
void (*process_abort(const void *caller))(void);

#endif

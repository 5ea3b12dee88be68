/*
 * lifecycle.h - what the entry points tell the pipeline about the life of the process.
 */
#ifndef CULPRIT_CALL_LIFECYCLE_H
#define CULPRIT_CALL_LIFECYCLE_H

#include <stdbool.h>

/*
 * Shall culprit stay out of this process: AT_SECURE, or CULPRIT_DISABLE=1? The same answer each
 * time. Asked at the first look-up of a driver entry point, or when a copy of NVTX finds us. Any
 * thread.
 */
bool lifecycle_disabled(void);

/*
 * A cuInit has succeeded. Called once in a process, by the thread of that cuInit before it returns
 * to the application; other threads may make calls meanwhile.
 */
void lifecycle_driver_ready(void);

/*
 * The five below are called only after lifecycle_driver_ready was, perhaps while it still runs.
 *
 * exit: the first one from an exit handler that runs before the driver's, the second one from a
 * destructor of the library; each once, also when exit was called inside a call, or from a signal
 * handler. A healthy process does all its work in the first one, which removes the bundle; calls
 * may still follow, and if one of them fails the second one keeps its bundle. quick_exit: only the
 * second one.
 */
void lifecycle_exit_early(void);
void lifecycle_exit(void);

/* Code at `caller` calls abort(). Any thread, signal handlers too. */
void lifecycle_abort(const void *caller);

/* In the child of a fork, its only thread. Nothing is recorded there: see recording.h. */
void lifecycle_fork_child(void);

/* A dlclose has returned 0: code may have gone. In the thread of that dlclose, no lock held. */
void lifecycle_module_unloaded(void);

#endif

/*
 * lifecycle.h - the process's start and end, as the entry points report them to the pipeline.
 */
#ifndef CULPRIT_CALL_LIFECYCLE_H
#define CULPRIT_CALL_LIFECYCLE_H

#include <stdbool.h>

#include "report/report_model.h"

/*
 * True if culprit shall stay out of this process: AT_SECURE, or CULPRIT_DISABLE=1. The answer never
 * changes. Called at the first look-up of a driver entry point, or when a copy of NVTX finds us.
 * Any thread.
 */
bool lifecycle_disabled(void);

/*
 * Start to record: a cuInit has succeeded. Called once in a process, by the thread of that cuInit
 * before it returns to the application. Other threads may make calls meanwhile.
 */
void lifecycle_driver_ready(void);

/*
 * The five functions below are called only after lifecycle_driver_ready, perhaps while it runs.
 *
 * At exit(), an exit handler calls the first one before the driver's own handler runs, and a
 * destructor of the library calls the second one. Each runs once, even if exit was called inside a
 * call or from a signal handler. A healthy process does all its work in the first one, which
 * removes the bundle. If a later call fails, the second one keeps its bundle. At quick_exit only
 * the second one is called. `end` has the exit status, or is REPORT_END_UNKNOWN after quick_exit.
 */
void lifecycle_exit_early(struct report_end end);
void lifecycle_exit(struct report_end end);

/* Note that code at `caller` calls abort(). Any thread, signal handlers too. */
void lifecycle_abort(const void *caller);

/* Stop recording in a fork's child, in its only thread: see recording.h. */
void lifecycle_fork_child(void);

/* Note that a dlclose returned 0, which may have unloaded code. Its thread; no lock held. */
void lifecycle_module_unloaded(void);

#endif

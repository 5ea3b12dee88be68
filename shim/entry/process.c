/*
 * process.c - start, fork, exit and dlclose. There is no constructor: nothing here runs before the
 * first successful cuInit, so a process without CUDA pays only for the mapping.
 */
#include "entry/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "call/lifecycle.h"
#include "entry/entry.h"
#include "entry/symbol_lookup.h"

/* Atomic: set by the first successful cuInit, never reset; a forked child inherits it. */
static bool is_started;

static bool has_started(void)
{
	return __atomic_load_n(&is_started, __ATOMIC_RELAXED);
}

/* The status that exit() was given, or unknown. Written by the exiting thread, which reads it. */
static struct report_end end;

/*
 * Registered once the driver is initialised. Exit handlers run last in, first out, so this one runs
 * before any that the driver registered then. From the driver's shutdown on, other threads of the
 * program get errors; work done here would prolong that time. Only on_exit handlers get the status.
 */
static void leave_early(int status, void *unused)
{
	(void)unused;
	end = (struct report_end){.kind = REPORT_EXITED, .number = status & 0xff};
	lifecycle_exit_early(end);
}

/* Static destructors and handlers registered earlier may still make calls until here. */
__attribute__((destructor)) static void leave_process(void)
{
	if (has_started())
		lifecycle_exit(end);
}

void process_driver_ready(void)
{
	int saved_errno = errno;
	if (has_started() || lifecycle_disabled() ||
	    __atomic_exchange_n(&is_started, true, __ATOMIC_RELAXED))
		return;
	pthread_atfork(NULL, NULL, lifecycle_fork_child);
	(void)on_exit(leave_early, NULL);
	(void)at_quick_exit(leave_process); /* quick_exit runs no destructors */
	lifecycle_driver_ready();
	errno = saved_errno;
}

void (*process_abort(const void *caller))(void)
{
	if (has_started())
		lifecycle_abort(caller);
	return symbol_real_abort();
}

EXPORT int dlclose(void *handle)
{
	int result = symbol_real_dlclose()(handle);
	int saved_errno = errno;
	if (result == 0 && has_started())
		lifecycle_module_unloaded();
	errno = saved_errno;
	return result;
}

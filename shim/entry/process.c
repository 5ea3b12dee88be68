/*
 * process.c - start, fork, exit and dlclose. There is no constructor: before the first successful
 * cuInit nothing of this runs, and a process without CUDA pays for the mapping alone.
 */
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "entry.h"
#include "lifecycle.h"
#include "symbol_lookup.h"

/* Set by the first successful cuInit, never reset: a child by fork has it from its parent. */
static _Atomic bool is_started;

static bool has_started(void)
{
	return atomic_load_explicit(&is_started, memory_order_relaxed);
}

/* A destructor rather than atexit: the application's own handlers still make calls. */
__attribute__((destructor)) static void leave_process(void)
{
	if (has_started())
		lifecycle_exit();
}

void process_driver_ready(void)
{
	int saved_errno = errno;

	if (has_started() || lifecycle_disabled() ||
	    atomic_exchange_explicit(&is_started, true, memory_order_relaxed))
		return;
	pthread_atfork(NULL, NULL, lifecycle_fork_child);
	at_quick_exit(leave_process); /* which runs no destructors */
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

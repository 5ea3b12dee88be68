/*
 * lifecycle.c - starting to record, and stopping: at exit.
 */
#include "lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "bundle.h"
#include "cancellation.h"
#include "clock.h"
#include "coredumps.h"
#include "describe.h"
#include "driver_events.h"
#include "failure.h"
#include "functions.h"
#include "graph_markers.h"
#include "markers.h"
#include "pycuda.h"
#include "python.h"
#include "recording.h"
#include "stack.h"
#include "stack_check.h"
#include "tick_clock.h"
#include "warning.h"
#include "watched_dump.h"

static struct settings settings; /* written once, under settings_once */
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static pid_t owner; /* the process that the bundle belongs to */

static void warn(void *unused, const char *line)
{
	(void)unused;
	warning_print("%s", line);
}

/* Calls no loader function and takes no lock, so that once() cannot be entered again from inside.
 */
static void read_settings(void)
{
	int cancellation = cancellation_hold();
	warning_start();
	settings_read(&settings, warn, NULL);
	cancellation_restore(cancellation);
	if (settings.quiet)
		warning_silence();
}

bool lifecycle_disabled(void)
{
	(void)pthread_once(&settings_once, read_settings);
	return settings.disable;
}

void lifecycle_driver_ready(void)
{
	int host_errno = errno;
	int cancellation = cancellation_hold();
	owner = getpid();
	bundle_start(&settings);
	stack_start(settings.stacks);
	stack_check_start(settings.stack_check);
	python_start(settings.stacks && settings.python);
	describe_start();
	functions_start();
	tick_clock_start();
	markers_start(&settings.markers);
	graph_markers_start(settings.graph_markers);
	coredumps_start(settings.coredump);
	recording_begin();
	cancellation_restore(cancellation);
	errno = host_errno;
}

/*
 * A dump without a failure is of one that no call has told of. The driver's thread ends with the
 * process: until then it has time to write it.
 */
static bool has_hidden_failure(void)
{
	bool has_dump = coredumps_are_watched() && driver_events_settle(coredumps_have_one);
	if (has_dump)
		coredumps_await(clock_kernel_ns() + WATCHED_DUMP_WAIT_NS);
	return has_dump;
}

void lifecycle_exit(void)
{
	/* A child of vfork() shares all memory and has but its number for itself. */
	if (!recording_is_on() || owner != getpid())
		return;
	failure_wait_for_verdict();
	bool has_failed = failure_has_happened();
	if (!has_failed && has_hidden_failure()) {
		has_failed = true;
		warning_print("the GPU failed, and no call has told the program of it; the "
			      "verdict: culprit report %s",
			      bundle_path());
	}
	if (!has_failed && settings.keep == KEEP_FAILURE)
		bundle_remove();
}

/* Of other aborts nothing is known; their bundle stays, as after any signal. */
void lifecycle_abort(const void *caller)
{
	if (pycuda_aborts(caller))
		lifecycle_exit();
}

void lifecycle_fork_child(void)
{
	recording_end();
	coredumps_give_up(); /* the dump, and the driver's threads, are the parent's */
}

void lifecycle_module_unloaded(void)
{
	int host_errno = errno;
	if (recording_is_on()) {
		stack_module_unloaded();
		/* Its fat binaries went with it, by a table of the driver that we do not see. */
		functions_unloaded();
	}
	errno = host_errno;
}

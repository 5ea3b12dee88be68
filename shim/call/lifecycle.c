/*
 * lifecycle.c - starting to record, and stopping: at exit, and in a forked child.
 */
#include "lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "bundle.h"
#include "call_names.h"
#include "captures.h"
#include "contexts.h"
#include "describe.h"
#include "events.h"
#include "failure.h"
#include "functions.h"
#include "graphs.h"
#include "markers.h"
#include "objects.h"
#include "ranges.h"
#include "stack.h"
#include "streams.h"
#include "strings.h"
#include "submission.h"
#include "thread.h"
#include "warning.h"

static struct settings settings; /* written once, under settings_once */
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static bool is_recording; /* atomic: raised once everything that recording needs is ready */
static pid_t owner;       /* the process that the bundle belongs to */

bool lifecycle_is_recording(void)
{
	return __atomic_load_n(&is_recording, __ATOMIC_ACQUIRE);
}

static void warn(void *unused, const char *line)
{
	(void)unused;
	warning_print("%s", line);
}

/* Calls no loader function and takes no lock, so that once() cannot be entered again from inside.
 */
static void read_settings(void)
{
	warning_start();
	settings_read(&settings, warn, NULL);
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
	owner = getpid();
	bundle_start(&settings);
	stack_start(settings.stacks);
	describe_start();
	markers_start(&settings.markers);
	__atomic_store_n(&is_recording, true, __ATOMIC_RELEASE);
	errno = host_errno;
}

void lifecycle_exit(void)
{
	/* A child of a bare clone() or vfork() has not been told that it is one. */
	if (owner != getpid())
		return;
	failure_wait_for_verdict();
	if (!failure_has_happened() && settings.keep == KEEP_FAILURE)
		bundle_remove();
}

void lifecycle_fork_child(void)
{
	__atomic_store_n(&is_recording, false, __ATOMIC_RELEASE);
	bundle_forget();
	strings_forget();
	call_names_forget();
	thread_forget_all();
	stack_forget();
	contexts_forget();
	streams_forget();
	events_forget_all();
	functions_forget();
	graphs_forget();
	ranges_forget();
	captures_forget();
	objects_forget();
	submission_forget();
	failure_forget();
}

void lifecycle_module_unloaded(void)
{
	int host_errno = errno;
	if (lifecycle_is_recording())
		stack_module_unloaded();
	errno = host_errno;
}

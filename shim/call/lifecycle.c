/*
 * lifecycle.c - starting to record, and stopping: at exit.
 */
#include "lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "bundle.h"
#include "cancellation.h"
#include "describe.h"
#include "failure.h"
#include "functions.h"
#include "markers.h"
#include "recording.h"
#include "stack.h"
#include "warning.h"

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
	describe_start();
	markers_start(&settings.markers);
	recording_begin();
	cancellation_restore(cancellation);
	errno = host_errno;
}

void lifecycle_exit(void)
{
	/* A child of vfork() shares all memory and has but its number for itself. */
	if (!recording_is_on() || owner != getpid())
		return;
	failure_wait_for_verdict();
	if (!failure_has_happened() && settings.keep == KEEP_FAILURE)
		bundle_remove();
}

void lifecycle_fork_child(void)
{
	recording_end();
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

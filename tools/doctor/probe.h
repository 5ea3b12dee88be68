/*
 * probe.h - try the driver in a separate process, so that doctor survives a driver that hangs or
 * crashes. The probe runs once without culprit and once under it.
 */
#ifndef CULPRIT_TOOLS_PROBE_H
#define CULPRIT_TOOLS_PROBE_H

#include <jansson.h>

/* How `culprit doctor` starts itself as the probe. */
#define PROBE_COMMAND "__probe"

/* The main function of the probe process. Returns an enum exit_status. */
int probe_main(void);

/* The call by which the probe submits work, so that there is something to record. */
#define PROBE_SUBMISSION "cuMemsetD8Async"

struct probe_variable {
	const char *name; /* NULL: end of the list */
	const char *value;
};

/*
 * Run `command` (found on PATH; NULL: the probe itself) with the variables of `environment` set.
 * Return the JSON that it prints as a new reference, or NULL if it printed none. *out_status is
 * its wait status, -1 if it was not started. The probe prints:
 *   {"driver": {"path", "error", "init", "version"}, "devices": [name],
 *    "doors": {"linked", "dlsym", "cuGetProcAddress"}: file that the entry point is in, or null,
 *    "runtime": {"path", "version"} | null,
 *    "work": result of PROBE_SUBMISSION and the synchronisation after it, -1: not reached}
 */
json_t *probe_start(const char *const *command, const struct probe_variable *environment,
		    int *out_status);

#endif

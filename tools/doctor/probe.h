/*
 * probe.h - a process of its own that tries the driver, once alone and once under culprit, so that
 * a driver that hangs or crashes takes nothing with it.
 */
#ifndef CULPRIT_TOOLS_PROBE_H
#define CULPRIT_TOOLS_PROBE_H

#include <jansson.h>

/* How `culprit doctor` starts itself as the probe. */
#define PROBE_COMMAND "__probe"

/* The inside of that process, hidden from the help. An enum exit_status. */
int probe_main(void);

/* One submission with a result goes to the GPU: then there is something to record. */
#define PROBE_SUBMISSION "cuMemsetD8Async"

struct probe_variable {
	const char *name; /* NULL: end of the list */
	const char *value;
};

/*
 * Starts `command`, found on PATH, or with NULL the probe itself, with the variables of
 * `environment` set. What it prints as JSON, a new reference; of the probe:
 *   {"driver": {"path", "error", "init", "version"}, "devices": [name],
 *    "doors": {"linked", "dlsym", "cuGetProcAddress"}: file that answers, null without,
 *    "work": result of PROBE_SUBMISSION and the synchronisation after it, -1: not reached}
 * NULL: it did not finish; *out_status is then its wait status.
 */
json_t *probe_start(const char *const *command, const struct probe_variable *environment,
		    int *out_status);

#endif

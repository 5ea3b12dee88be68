/*
 * old_bundles.h - removes bundles of processes that have exited.
 */
#ifndef CULPRIT_TOOLS_OLD_BUNDLES_H
#define CULPRIT_TOOLS_OLD_BUNDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "command/options.h"

/* Which bundles stay. A bundle that exceeds one of the limits is removed. */
struct old_bundles_limits {
	uint64_t max_bytes;   /* that the newest may take on their disk; UINT64_MAX: no limit */
	uint64_t max_seconds; /* of age; UINT64_MAX: no limit */
	bool is_dry;          /* remove none, only call `tell` */
};

/*
 * Removes the bundles of `directory` that exceed the limits, the newest first, and calls `tell` (if
 * not NULL) with the path of each removed bundle. It never removes the bundle of a process that is
 * alive, or may be alive in another container, and never another user's directory or one that is
 * not a bundle. Returns 0, or -errno if the directory cannot be read.
 */
int old_bundles_remove(const char *directory, const struct old_bundles_limits *limits,
		       void (*tell)(const char *path));

/*
 * Read a size of bundles, an option in MB, as bytes. *out is unchanged if the option was not given.
 * Return 0, or -EINVAL after one line.
 */
int old_bundles_read_size(const struct arguments *arguments, enum option option, uint64_t *out);

#endif

/*
 * versions.h - the CUDA versions of a program, and those that culprit was tested with.
 */
#ifndef CULPRIT_TOOLS_VERSIONS_H
#define CULPRIT_TOOLS_VERSIONS_H

#include <stddef.h>

#include "base/journal_format.h"

/*
 * runtime_version.c: find the version of the CUDA runtime in a library or a program.
 *
 * The runtime reports its version by a call that writes a constant. The file is not trusted and
 * must not run, so the constant is searched for in its code.
 */

/*
 * Return the version as cudaRuntimeGetVersion() does: 12040 is 12.4. Return 0 if no version is
 * found, or if the file's build-id differs from that of `row`. Reads at most 64 MiB.
 */
int runtime_version_of(const char *path, const struct module_row *row);

/*
 * tried_versions.c: the drivers and CUDA runtimes that culprit was tested with; docs/versions.md
 * lists them with dates.
 */

/* How a version was tested. */
enum trial {
	TRIAL_NONE,
	TRIAL_SIMULATED, /* on a simulated driver only */
	TRIAL_GPU,
};

/* Return how a version, as of cuDriverGetVersion() or cudaRuntimeGetVersion(), was tested. */
enum trial tried_driver(int version);
enum trial tried_runtime(int version);

/* Return "untried", "tried on a simulated driver only", or "" if tested on a GPU. */
const char *tried_text(enum trial trial);

/* Write 12040 as "12.4" into `out`. */
void version_text(int version, char *out, size_t size);

#endif

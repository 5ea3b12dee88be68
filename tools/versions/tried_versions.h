/*
 * tried_versions.h - the drivers and CUDA runtimes that culprit was tested with; docs/versions.md
 * lists them with dates.
 */
#ifndef CULPRIT_TOOLS_TRIED_VERSIONS_H
#define CULPRIT_TOOLS_TRIED_VERSIONS_H

#include <stddef.h>

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

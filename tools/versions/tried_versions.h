/*
 * tried_versions.h - on which drivers, and with which CUDA runtimes, culprit has been run: what
 * docs/versions.md lists with dates.
 */
#ifndef CULPRIT_TOOLS_TRIED_VERSIONS_H
#define CULPRIT_TOOLS_TRIED_VERSIONS_H

#include <stddef.h>

/* How it has been tried. */
enum trial {
	TRIAL_NONE,
	TRIAL_SIMULATED, /* on a simulated driver only */
	TRIAL_GPU,
};

/* Of a driver, by what cuDriverGetVersion says; of a runtime, by cudaRuntimeGetVersion. */
enum trial tried_driver(int version);
enum trial tried_runtime(int version);

/* "untried", "tried on a simulated driver only"; "" on a GPU. */
const char *tried_text(enum trial trial);

/* "12.4" into `out`. */
void version_text(int version, char *out, size_t size);

#endif

/*
 * run_bundles.h - which bundles of a run tell of a failure.
 */
#ifndef CULPRIT_TOOLS_RUN_BUNDLES_H
#define CULPRIT_TOOLS_RUN_BUNDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/left_memory.h"
#include "run/run_end.h"
#include "run/run_slot.h"

struct failed_bundle {
	char *path;
	uint64_t failed_ns;
};

struct failed_bundles {
	struct failed_bundle *rows;
	size_t n;
	bool has_running; /* there is one of a process that is alive and has not failed */
};

/*
 * The run's bundles in its directory and among what was left elsewhere that tell of a failure, or
 * whose process has told of one; the earliest first. 0, or -errno of what could not be read: what
 * was found is in *out all the same, and the caller's to free.
 */
int run_bundles_find(const struct run_end *end, struct run_told *told,
		     const struct left_memory *left, struct failed_bundles *out);
void run_bundles_free(struct failed_bundles *bundles);

/* Removes the bundles of the run that are of no use: without a failure, and nobody asked for them.
 */
void run_bundles_sweep(const struct run_end *end);

#endif

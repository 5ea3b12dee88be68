/*
 * run_bundles.h - finds the bundles of a run that have a failure.
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
	bool is_hung; /* it has no failure: its finding was printed during the run */
};

struct failed_bundles {
	struct failed_bundle *rows;
	size_t n;
	bool has_running; /* a process is still alive and has not failed */
};

/*
 * Finds the run's bundles that have a failure, or whose process reported one, the earliest first,
 * and after those the bundles with another finding:
 * in its directory and among the journals that were left elsewhere. Returns 0, or -errno of a
 * failed read. In both cases the caller frees *out, which has the bundles that were found.
 */
int run_bundles_find(const struct run_end *end, struct run_reported *told,
		     const struct left_memory *left, struct failed_bundles *out);
void run_bundles_free(struct failed_bundles *bundles);

/* Removes the bundles of the run that have no failure and that no setting keeps. */
void run_bundles_sweep(const struct run_end *end);

#endif

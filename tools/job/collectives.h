/*
 * collectives.h - the progress of a rank in the collectives of its job. These are NCCL's kernels,
 * known by their names. They are counted by stream, since each communicator has its own stream.
 */
#ifndef CULPRIT_TOOLS_COLLECTIVES_H
#define CULPRIT_TOOLS_COLLECTIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"

enum { MAX_COMMUNICATORS = 16, COLLECTIVE_NAME_SIZE = 96 };

struct collectives {
	/*
	 * Counts by stream, in the order of each stream's first collective. For a rank that failed,
	 * only those submitted before its culprit, or before the earliest of its suspects.
	 */
	uint64_t n[MAX_COMMUNICATORS];
	uint32_t n_communicators;
	uint64_t n_all;
	bool is_whole;        /* the journal has all submissions since the process started */
	bool is_of_culprit;   /* the culprit itself is a collective */
	uint64_t open_number; /* the first that is not known to be finished, from 1; 0: none */
	char open_name[COLLECTIVE_NAME_SIZE];
};

/* Returns 0 or -ENOMEM. */
int collectives_count(const struct analysis *analysis, struct collectives *out);

#endif

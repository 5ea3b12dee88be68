/*
 * launch_limits.h - why was a launch refused: its shape against the limits of its kernel and its
 * device. Pure arithmetic on numbers that the driver told.
 */
#ifndef CULPRIT_VERDICT_LAUNCH_LIMITS_H
#define CULPRIT_VERDICT_LAUNCH_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct launch_shape {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3]; /* 0: none */
	uint32_t shared_bytes;
	bool is_cooperative;
};

/* Negative: the driver did not tell, and nothing is concluded from it. */
struct launch_limits {
	int64_t block[3];     /* of the device, as the next five */
	int64_t grid[3];      /* blocks */
	int64_t threads;      /* in a block */
	int64_t registers;    /* of a block */
	int64_t shared_optin; /* bytes of a block that a kernel may be allowed */
	int64_t multiprocessors;
	int64_t has_clusters;         /* 0: it has none */
	int64_t function_threads;     /* of the kernel, as the rest: in a block */
	int64_t function_registers;   /* of a thread */
	int64_t function_static;      /* bytes of shared memory that it declares */
	int64_t function_dynamic;     /* most bytes that a launch may add */
	int64_t function_any_cluster; /* 0: clusters of more than eight blocks are not allowed */
	int64_t resident_blocks;      /* on one multiprocessor, of this shape */
};

/*
 * Adds why a launch of this shape was refused with `code`, with the numbers and what to do. The
 * rule's id, which never changes; NULL, and nothing is added, where no limit is proven to be broken
 * that gives this code. Any thread.
 */
const char *launch_explain(const struct launch_shape *shape, const struct launch_limits *limits,
			   int32_t code, struct text *out);

/* Is there a rule that explains this result at all? Any thread. */
bool launch_has_rule(int32_t code);

#endif

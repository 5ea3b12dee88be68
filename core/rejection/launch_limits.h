/*
 * launch_limits.h - explains why a launch was rejected, by comparing its shape with the limits of
 * its kernel and its device. Pure arithmetic on numbers from the driver.
 */
#ifndef CULPRIT_REJECTION_LAUNCH_LIMITS_H
#define CULPRIT_REJECTION_LAUNCH_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct launch_shape {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t cluster[3]; /* 0: no clusters */
	uint32_t shared_bytes;
	bool is_cooperative;
};

/* A negative limit is not known, and nothing is concluded from it. */
struct launch_limits {
	int64_t block[3];     /* this and the following, to has_clusters: of the device */
	int64_t grid[3];      /* blocks */
	int64_t threads;      /* in a block */
	int64_t registers;    /* of a block */
	int64_t shared_optin; /* most bytes of a block that a kernel can opt in to */
	int64_t multiprocessors;
	int64_t has_clusters;         /* 0: the device has no clusters */
	int64_t function_threads;     /* this and the following: of the kernel; in a block */
	int64_t function_registers;   /* of a thread */
	int64_t function_static;      /* bytes of shared memory that it declares */
	int64_t function_dynamic;     /* most bytes that a launch may add */
	int64_t function_any_cluster; /* 0: clusters of more than eight blocks are not allowed */
	int64_t resident_blocks;      /* on one multiprocessor, of this shape */
};

/*
 * Append why a launch of this shape was rejected with `code`, with the numbers and what to do.
 * Returns the id of the broken rule, which never changes. Returns NULL and appends nothing unless a
 * limit that gives this code is proven to be exceeded. Any thread.
 */
const char *launch_explain(const struct launch_shape *shape, const struct launch_limits *limits,
			   int32_t code, struct text *out);

/* True if any rule can explain this result. Any thread. */
bool launch_has_rule(int32_t code);

#endif

/*
 * memory_groups.h - who holds memory: by stack, library, thread or kind.
 */
#ifndef CULPRIT_TOOLS_MEMORY_GROUPS_H
#define CULPRIT_TOOLS_MEMORY_GROUPS_H

#include "memory/memory.h"

enum memory_by { MEMORY_BY_STACK, MEMORY_BY_LIBRARY, MEMORY_BY_THREAD, MEMORY_BY_KIND };

struct memory_group {
	char *name;     /* the same for the same holder in another run */
	uint64_t bytes; /* of a difference: see memory_groups_subtract() */
	int64_t n;
	uint32_t stack; /* of the newest piece */
};

struct memory_groups {
	struct memory_group *rows; /* the largest first */
	size_t n;
	uint64_t bytes[N_MEMORY_PLACES];
	uint64_t n_pieces[N_MEMORY_PLACES];
};

/* Of what takes room. 0 or -ENOMEM; *out is the caller's. */
int memory_groups_make(const struct analysis *analysis, const struct memory *memory,
		       enum memory_by by, struct memory_groups *out);
void memory_groups_free(struct memory_groups *groups);

/*
 * Leaves in `groups` what it has more than `before`, by name; negative: less (bytes as a number of
 * two's complement). 0 or -ENOMEM.
 */
int memory_groups_subtract(struct memory_groups *groups, const struct memory_groups *before);

#endif

/*
 * memory_groups.h - sum up live memory by the stack, library or thread that allocated it, or by
 * kind.
 */
#ifndef CULPRIT_TOOLS_MEMORY_GROUPS_H
#define CULPRIT_TOOLS_MEMORY_GROUPS_H

#include "memory/memory.h"
#include "memory/memory_owner.h"

enum memory_by { MEMORY_BY_STACK, MEMORY_BY_LIBRARY, MEMORY_BY_THREAD, MEMORY_BY_KIND };

struct memory_group {
	char *name;     /* stable: the same group has the same name in another run */
	uint64_t bytes; /* two's complement after memory_groups_subtract() */
	int64_t n;      /* number of allocations; may be negative after memory_groups_subtract() */
	uint32_t stack; /* of one of the allocations */
};

struct memory_groups {
	struct memory_group *rows; /* largest first */
	size_t n;
	uint64_t bytes[N_MEMORY_PLACES];
	uint64_t n_pieces[N_MEMORY_PLACES];
};

/*
 * Group the allocations that occupy memory. Return 0, and the caller releases *out with
 * memory_groups_free(), or -ENOMEM.
 */
int memory_groups_make(const struct analysis *analysis, const struct memory *memory,
		       enum memory_by by, struct memory_groups *out);
void memory_groups_free(struct memory_groups *groups);

/*
 * Subtract `before` from `groups`, matching the groups by name, and drop those that are equal. A
 * group that shrank is negative. Return 0 or -ENOMEM; release `groups` in either case.
 */
int memory_groups_subtract(struct memory_groups *groups, const struct memory_groups *before);

#endif

/*
 * memory_list.h - print groups of memory as a table or JSON.
 */
#ifndef CULPRIT_TOOLS_MEMORY_LIST_H
#define CULPRIT_TOOLS_MEMORY_LIST_H

#include <stdio.h>

#include "memory/memory_groups.h"

/* The base of a comparison. If both members are NULL, the groups are totals. */
struct memory_before {
	const char *bundle; /* path of another bundle */
	const char *time;   /* an earlier time in the same bundle */
};

/* Print a line with `what` and the totals, then the first `top` groups. */
void memory_list_print(const struct memory_groups *groups, const char *what, uint64_t top,
		       const struct memory_before *before, FILE *out);

/* Print one object with all groups. Grouped by stack, the first 512 have their whole stacks. */
void memory_list_json(const struct analysis *analysis, const struct memory_groups *groups,
		      enum memory_by by, const struct memory_before *before, FILE *out);

#endif

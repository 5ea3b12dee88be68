/*
 * memory_list.h - groups of memory as a table or JSON.
 */
#ifndef CULPRIT_TOOLS_MEMORY_LIST_H
#define CULPRIT_TOOLS_MEMORY_LIST_H

#include <stdio.h>

#include "memory/memory_groups.h"

/* What groups are a difference to. Both NULL: they are none. */
struct memory_before {
	const char *bundle; /* another one */
	const char *time;   /* of the same one */
};

/* `what` and sums, then the first `top` groups. */
void memory_list_print(const struct memory_groups *groups, const char *what, uint64_t top,
		       const struct memory_before *before, FILE *out);

/* One object with all of them; with the whole stacks of the first 512, where these are the holders.
 */
void memory_list_json(const struct analysis *analysis, const struct memory_groups *groups,
		      enum memory_by by, const struct memory_before *before, FILE *out);

#endif

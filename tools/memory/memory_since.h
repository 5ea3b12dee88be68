/*
 * memory_since.h - a moment in the past, as a user names it.
 */
#ifndef CULPRIT_TOOLS_MEMORY_SINCE_H
#define CULPRIT_TOOLS_MEMORY_SINCE_H

#include "memory/memory.h"

/*
 * "30", "0.5": so many seconds before memory was made or given back last; or a time as reports have
 * it. 0, or -1 after one line: it is none, or before what the bundle knows. *out_ns is of
 * CLOCK_MONOTONIC.
 */
int memory_since_read(const struct analysis *analysis, const struct memory *memory,
		      const char *text, uint64_t *out_ns);

/* Is it one of the two, whatever the bundle says? */
bool memory_since_is_good(const char *text);

#endif

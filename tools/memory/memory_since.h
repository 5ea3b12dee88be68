/*
 * memory_since.h - read the argument of --since: a time in the past.
 */
#ifndef CULPRIT_TOOLS_MEMORY_SINCE_H
#define CULPRIT_TOOLS_MEMORY_SINCE_H

#include "memory/memory.h"

/*
 * Read a number of seconds before the last allocation or free ("30", "0.5"), or a UTC time as
 * reports print it. Return 0 with *out_ns in CLOCK_MONOTONIC. Return -1 after printing a line if
 * `text` is neither, or is earlier than the frees that the bundle has on record.
 */
int memory_since_read(const struct analysis *analysis, const struct memory *memory,
		      const char *text, uint64_t *out_ns);

/* True if `text` is a number of seconds or a time; the bundle may still not reach back that far. */
bool memory_since_is_good(const char *text);

#endif

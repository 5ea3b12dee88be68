/*
 * memory_parts.h - the parts of `culprit memory`.
 */
#ifndef CULPRIT_TOOLS_MEMORY_PARTS_H
#define CULPRIT_TOOLS_MEMORY_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "memory/memory.h"
#include "memory/memory_groups.h"
#include "progress/range_order.h"

/* memory_list.c: print groups of memory as a table or JSON. */

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

/* memory_since.c: read the argument of --since: a time in the past. */

/*
 * Read a number of seconds before the last allocation or free ("30", "0.5"), or a UTC time as
 * reports print it. Return 0 with *out_ns in CLOCK_MONOTONIC. Return -1 after printing a line if
 * `text` is neither, or is earlier than the frees that the bundle has on record.
 */
int memory_since_read(const struct analysis *analysis, const struct memory *memory,
		      const char *text, uint64_t *out_ns);

/* True if `text` is a number of seconds or a time; the bundle may still not reach back that far. */
bool memory_since_is_good(const char *text);

/* memory_at.c: explain an address: which allocation it is in or near, and who made that. */

/* Read a decimal number or, after 0x, a hexadecimal one. False if `text` is anything else. */
bool memory_at_read(const char *text, uint64_t *out_address);

/*
 * Print the allocation at or near `address`, its events, and what was there before. Memory is as it
 * was `at` a launch; NULL: at the end.
 */
void memory_at_print(const struct analysis *analysis, uint64_t address,
		     const struct range_moment *at, FILE *out);

/* Return the same as a new JSON object; NULL if out of memory. */
json_t *memory_at_json(const struct analysis *analysis, uint64_t address,
		       const struct range_moment *at);

/* memory_torch.c: write memory as a snapshot for PyTorch's memory_viz page. */

/*
 * Write a pickle (protocol 2). Each device has its allocations as segments of one block, and its
 * allocations and frees in order of time. Return 0 or -ENOMEM; check `out` with ferror().
 */
int memory_torch_write(const struct analysis *analysis, const struct memory *memory, FILE *out);

#endif

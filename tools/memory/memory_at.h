/*
 * memory_at.h - explain an address: which allocation it is in or near, and who made that.
 */
#ifndef CULPRIT_TOOLS_MEMORY_AT_H
#define CULPRIT_TOOLS_MEMORY_AT_H

#include <jansson.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "progress/range_order.h"

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

#endif

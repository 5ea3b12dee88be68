/*
 * memory_at.h - whose address is this?
 */
#ifndef CULPRIT_TOOLS_MEMORY_AT_H
#define CULPRIT_TOOLS_MEMORY_AT_H

#include <jansson.h>
#include <stdio.h>

#include "bundle/analysis.h"

/* "0x7f12", "7f12" behind 0x alone: decimal else. False: no number, or nothing else. */
bool memory_at_read(const char *text, uint64_t *out_address);

/* Lines: how it lies to what memory, who made that and gave it back, and what was there before. */
void memory_at_print(const struct analysis *analysis, uint64_t address, FILE *out);

/* The same as an object; NULL without memory. */
json_t *memory_at_json(const struct analysis *analysis, uint64_t address);

#endif

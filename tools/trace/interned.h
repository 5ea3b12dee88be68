/*
 * interned.h - texts that are known by numbers: each has one, from 1, in its own table.
 */
#ifndef CULPRIT_TOOLS_INTERNED_H
#define CULPRIT_TOOLS_INTERNED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A zeroed one is empty. */
struct interned {
	json_t *ids; /* by text */
	uint64_t n;
};

/* The text's number, *out_is_new: of now. 0: out of memory. */
uint64_t interned_id(struct interned *table, const char *text, bool *out_is_new);
void interned_free(struct interned *table);

#endif

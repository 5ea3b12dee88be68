/*
 * interned.h - a table that gives each distinct text a number, from 1.
 */
#ifndef CULPRIT_TOOLS_INTERNED_H
#define CULPRIT_TOOLS_INTERNED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A zeroed table is empty. */
struct interned {
	json_t *ids; /* number by text */
	uint64_t n;
};

/* Return the text's number, added if new (*out_is_new is true then); 0 if out of memory. */
uint64_t interned_id(struct interned *table, const char *text, bool *out_is_new);
void interned_free(struct interned *table);

#endif

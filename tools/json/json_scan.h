/*
 * json_scan.h - a few members of a long JSON text, without a tree of all of it: for one line about
 * a report, a tree takes ten times as long as the rest. The text is untrusted. Only its structure
 * is checked: whoever uses a value reads it with json_scan_value().
 */
#ifndef CULPRIT_TOOLS_JSON_SCAN_H
#define CULPRIT_TOOLS_JSON_SCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A value in a text that the caller owns; size 0: no value. */
struct json_slice {
	const char *bytes;
	size_t size;
};

/*
 * Find the values of `n` keys in an object and store them in out[n]; a missing one is empty. Return
 * false if the slice is not one whole object, or has one of the keys twice. Keys with escapes are
 * not found.
 */
bool json_scan_members(struct json_slice object, const char *const *keys, size_t n,
		       struct json_slice *out);

/*
 * Get the element of an array after *at, 0 for the first, and move *at past it. Return false at the
 * end, or if what follows is not an element.
 */
bool json_scan_next(struct json_slice array, size_t *at, struct json_slice *out);

/* Return the value as a new reference, or NULL if it is not valid JSON or the slice is empty. */
json_t *json_scan_value(struct json_slice slice);

#endif

/*
 * json_values.h - untrusted strings, handles and counts as JSON.
 *
 * All functions return a new reference, or NULL if out of memory. Callers may pass the NULL on:
 * json_object_set_new() and json_pack() then fail in turn.
 */
#ifndef CULPRIT_TOOLS_JSON_VALUES_H
#define CULPRIT_TOOLS_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "view/bundle_view.h"

/* Return a string; invalid UTF-8 and terminal controls become '?'. NULL becomes null. */
json_t *json_foreign(const char *string);
json_t *json_foreign_bytes(const char *bytes, size_t size);

/* Return the bundle's string with this id, or null if the id is 0. */
json_t *json_view_string(const struct bundle_view *view, uint32_t id);

/* Return "0x7f12". Handles are strings because most JSON readers lose numbers above 2^53. */
json_t *json_handle(uint64_t handle);

/* Return nanoseconds since 1970 as "2026-11-22T15:09:36.123456Z", or null for 0. */
json_t *json_time(uint64_t wall_ns);

/* Return an absolute path as "file:///tmp/a%20b"; any bytes are allowed. */
json_t *json_uri(const char *path);

/* Return the bytes as hexadecimal digits, "2a000000". */
json_t *json_bytes(const unsigned char *bytes, size_t size);

/* Return a number, capped at INT64_MAX. */
json_t *json_count(uint64_t count);

/* Return [x, y, z]. */
json_t *json_dimensions(uint32_t x, uint32_t y, uint32_t z);

/*
 * Print a value on one line, without a line end. Terminal controls and invisible characters are
 * escaped as \uXXXX, so that the value stays the same. Return false if out of memory.
 */
bool json_print(const json_t *value, FILE *out);

#endif

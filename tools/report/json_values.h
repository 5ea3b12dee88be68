/*
 * json_values.h - foreign bytes, handles and counts as JSON. All return new references; NULL only
 * without memory, which json_object_set_new and json_pack of the caller then report.
 */
#ifndef CULPRIT_TOOLS_JSON_VALUES_H
#define CULPRIT_TOOLS_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* A string; what is not UTF-8 or controls a terminal becomes '?'. NULL gives null. */
json_t *json_foreign(const char *string);
json_t *json_foreign_bytes(const char *bytes, size_t size);

/* The string with this id, null for none. */
json_t *json_view_string(const struct bundle_view *view, uint32_t id);

/* "0x7f12": numbers above 2^53 do not survive most readers of JSON. */
json_t *json_handle(uint64_t handle);

/* "2026-11-22T15:09:36.123456Z" for nanoseconds since 1970, null for 0. */
json_t *json_time(uint64_t wall_ns);

/* "file:///tmp/a%20b" of an absolute path, whatever its bytes are. */
json_t *json_uri(const char *path);

/* "2a000000" */
json_t *json_bytes(const unsigned char *bytes, size_t size);

/* A number of things or nanoseconds. */
json_t *json_count(uint64_t count);

/* [x, y, z] */
json_t *json_dimensions(uint32_t x, uint32_t y, uint32_t z);

/*
 * Prints a value in one line, without its end: what a terminal would obey, or nobody would see,
 * stands there by its number, so that it is the same value still. False: out of memory.
 */
bool json_print(const json_t *value, FILE *out);

#endif

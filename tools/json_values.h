/*
 * json_values.h - foreign bytes, handles and counts as JSON. All return new references; NULL only
 * without memory, which json_object_set_new and json_pack of the caller then report.
 */
#ifndef CULPRIT_TOOLS_JSON_VALUES_H
#define CULPRIT_TOOLS_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "bundle_view.h"

/* A string; what is not UTF-8 or controls a terminal becomes '?'. NULL gives null. */
json_t *json_foreign(const char *string);
json_t *json_foreign_bytes(const char *bytes, size_t size);

/* The string with this id, null for none. */
json_t *json_view_string(const struct bundle_view *view, uint32_t id);

/* "0x7f12": numbers above 2^53 do not survive most readers of JSON. */
json_t *json_handle(uint64_t handle);

/* "2a000000" */
json_t *json_bytes(const unsigned char *bytes, size_t size);

/* A number of things or nanoseconds. */
json_t *json_count(uint64_t count);

#endif

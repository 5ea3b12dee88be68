/*
 * json_values.c - single values for the JSON report.
 */
#include "json_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

json_t *json_foreign_bytes(const char *bytes, size_t size)
{
	char *buffer = malloc(size + 1);
	struct text text;
	json_t *value;

	if (!buffer)
		return NULL;
	text = text_in(buffer, size + 1);
	text_add_foreign(&text, bytes, size);
	value = json_string(buffer);
	free(buffer);
	return value;
}

json_t *json_foreign(const char *string)
{
	return string ? json_foreign_bytes(string, strlen(string)) : json_null();
}

json_t *json_view_string(const struct bundle_view *view, uint32_t id)
{
	return id ? json_foreign(view_string(view, id, NULL)) : json_null();
}

json_t *json_handle(uint64_t handle)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%" PRIx64, handle);
	return json_string(digits);
}

json_t *json_bytes(const unsigned char *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = malloc(2 * size + 1);
	json_t *value;

	if (!hex)
		return NULL;
	for (size_t index = 0; index < size; index++) {
		hex[2 * index] = digits[bytes[index] >> 4];
		hex[2 * index + 1] = digits[bytes[index] & 15];
	}
	value = json_stringn(hex, 2 * size);
	free(hex);
	return value;
}

json_t *json_count(uint64_t count)
{
	return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

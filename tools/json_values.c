/*
 * json_values.c - single values for the JSON report.
 */
#include "json_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

json_t *json_foreign(const char *string)
{
	size_t length;
	char *buffer;
	struct text text;
	json_t *value;

	if (!string)
		return json_null();
	length = strlen(string);
	buffer = malloc(length + 1);
	if (!buffer)
		return NULL;
	text = text_in(buffer, length + 1);
	text_add_foreign(&text, string, length);
	value = json_string(buffer);
	free(buffer);
	return value;
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

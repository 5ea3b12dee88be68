/*
 * json_values.c - single values for the JSON report.
 */
#include "json/json_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bundle/process.h"

json_t *json_foreign_bytes(const char *bytes, size_t size)
{
	char *buffer = malloc(size + 1);
	if (!buffer)
		return NULL;
	struct text text = text_in(buffer, size + 1);
	text_add_foreign(&text, bytes, size);
	json_t *value = json_string(buffer);
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

json_t *json_time(uint64_t wall_ns)
{
	char formatted[PROCESS_TIME_SIZE];
	return wall_ns ? json_string(process_time_text(wall_ns, formatted)) : json_null();
}

json_t *json_uri(const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789/-._~";
	char *uri = malloc(sizeof("file://") + 3 * strlen(path));
	char *at = uri;
	if (!uri)
		return NULL;
	at += sprintf(at, "file://");
	for (const char *byte = path; *byte; byte++)
		at += sprintf(at, strchr(plain, *byte) ? "%c" : "%%%02X", (unsigned char)*byte);
	json_t *value = json_string(uri);
	free(uri);
	return value;
}

json_t *json_bytes(const unsigned char *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = malloc(2 * size + 1);
	if (!hex)
		return NULL;
	for (size_t index = 0; index < size; index++) {
		hex[2 * index] = digits[bytes[index] >> 4];
		hex[2 * index + 1] = digits[bytes[index] & 15];
	}
	json_t *value = json_stringn(hex, 2 * size);
	free(hex);
	return value;
}

json_t *json_count(uint64_t count)
{
	return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

json_t *json_dimensions(uint32_t x, uint32_t y, uint32_t z)
{
	return json_pack("[o, o, o]", json_count(x), json_count(y), json_count(z));
}

static void print_number(uint32_t code, FILE *out)
{
	if (code > 0xffff) {
		fprintf(out, "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10));
		code = 0xdc00 + ((code - 0x10000) & 0x3ff);
	}
	fprintf(out, "\\u%04" PRIx32, code);
}

/* True for a character that every terminal shows, which nearly all are. */
static bool is_plain(char character)
{
	return character >= ' ' && character <= '~';
}

bool json_print(const json_t *value, FILE *out)
{
	char *all = json_dumps(value, 0);
	size_t size = all ? strlen(all) : 0;
	size_t printed = 0;
	size_t at = 0;
	while (at < size) {
		if (is_plain(all[at])) {
			at++;
			continue;
		}
		size_t length = 0;
		uint32_t code = text_character(all + at, size - at, &length);
		if (length > 0 && !text_is_printable(code)) {
			fwrite(all + printed, 1, at - printed, out);
			print_number(code, out);
			printed = at + length;
		}
		at += length ? length : 1;
	}
	fwrite(all + printed, 1, size - printed, out);
	free(all);
	return size > 0;
}

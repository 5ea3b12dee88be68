/*
 * json_scan.c - steps over values: a string ends at its quote, an array or object at its bracket.
 */
#include "json/json_scan.h"

#include <stdint.h>
#include <string.h>

static size_t skip_space(struct json_slice text, size_t at)
{
	while (at < text.size && strchr(" \t\r\n", text.bytes[at]) && text.bytes[at])
		at++;
	return at;
}

/* Return the place after the string that begins at `at`, or SIZE_MAX. */
static size_t skip_string(struct json_slice text, size_t at)
{
	for (at++; at < text.size && text.bytes[at] != '"'; at++)
		at += text.bytes[at] == '\\';
	return at < text.size ? at + 1 : SIZE_MAX;
}

/* Return the place after the array or object that begins at `at`, or SIZE_MAX. */
static size_t skip_nested(struct json_slice text, size_t at)
{
	size_t depth = 0;
	while (at < text.size) {
		char byte = text.bytes[at];
		if (byte == '"') {
			at = skip_string(text, at);
			continue;
		}
		at++;
		if (byte == '{' || byte == '[')
			depth++;
		else if ((byte == '}' || byte == ']') && --depth == 0)
			return at;
	}
	return SIZE_MAX;
}

/* Return the place after the value that begins at `at`, or SIZE_MAX. */
static size_t skip_value(struct json_slice text, size_t at)
{
	if (at >= text.size)
		return SIZE_MAX;
	if (text.bytes[at] == '"')
		return skip_string(text, at);
	if (text.bytes[at] == '{' || text.bytes[at] == '[')
		return skip_nested(text, at);
	static const char ends[] = {',', ':', '{', '}', '[', ']', '"', ' ', '\t', '\r', '\n'};
	size_t begin = at;
	while (at < text.size && !memchr(ends, text.bytes[at], sizeof(ends)))
		at++;
	return at > begin ? at : SIZE_MAX;
}

/* Return the place after `byte`, which only spaces precede, or SIZE_MAX. */
static size_t expect(struct json_slice text, size_t at, char byte)
{
	at = skip_space(text, at);
	return at < text.size && text.bytes[at] == byte ? at + 1 : SIZE_MAX;
}

/* Return the place after the member whose key begins at `at`, or SIZE_MAX. */
static size_t read_member(struct json_slice text, size_t at, struct json_slice *out_key,
			  struct json_slice *out_value)
{
	size_t key_end = at < text.size && text.bytes[at] == '"' ? skip_string(text, at) : SIZE_MAX;
	size_t begin = key_end == SIZE_MAX ? SIZE_MAX : expect(text, key_end, ':');
	if (begin == SIZE_MAX)
		return SIZE_MAX;
	begin = skip_space(text, begin);
	size_t end = skip_value(text, begin);
	if (end == SIZE_MAX)
		return SIZE_MAX;
	*out_key = (struct json_slice){text.bytes + at + 1, key_end - at - 2};
	*out_value = (struct json_slice){text.bytes + begin, end - begin};
	return end;
}

/* Store the value under its key, if it is one of those. Return false if it is there already. */
static bool store(struct json_slice key, struct json_slice value, const char *const *keys, size_t n,
		  struct json_slice *out)
{
	for (size_t i = 0; i < n; i++) {
		if (strlen(keys[i]) != key.size || memcmp(keys[i], key.bytes, key.size) != 0)
			continue;
		if (out[i].size)
			return false;
		out[i] = value;
	}
	return true;
}

bool json_scan_members(struct json_slice object, const char *const *keys, size_t n,
		       struct json_slice *out)
{
	struct json_slice key;
	struct json_slice value;
	memset(out, 0, n * sizeof(*out));
	size_t at = expect(object, 0, '{');
	if (at == SIZE_MAX)
		return false;
	at = skip_space(object, at);
	bool is_last = expect(object, at, '}') != SIZE_MAX;
	while (!is_last) {
		at = read_member(object, at, &key, &value);
		if (at == SIZE_MAX || !store(key, value, keys, n, out))
			return false;
		is_last = expect(object, at, '}') != SIZE_MAX;
		size_t next = is_last ? at : expect(object, at, ',');
		if (next == SIZE_MAX)
			return false;
		at = skip_space(object, next);
	}
	return skip_space(object, expect(object, at, '}')) == object.size;
}

bool json_scan_next(struct json_slice array, size_t *at, struct json_slice *out)
{
	size_t begin = expect(array, *at, *at ? ',' : '[');
	if (begin == SIZE_MAX)
		return false;
	begin = skip_space(array, begin);
	size_t end = skip_value(array, begin);
	if (end == SIZE_MAX)
		return false;
	*out = (struct json_slice){array.bytes + begin, end - begin};
	*at = end;
	return true;
}

json_t *json_scan_value(struct json_slice slice)
{
	return slice.size ? json_loadb(slice.bytes, slice.size, JSON_DECODE_ANY, NULL) : NULL;
}

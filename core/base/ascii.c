/*
 * ascii.c - a table of replacements, none longer than the character.
 */
#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

static const struct {
	uint32_t code;
	const char *ascii;
} replacements[] = {{0xb7, "|"}, {0x2014, "-"}, {0x2026, "..."}};

static bool names_utf8(const char *locale)
{
	for (const char *at = locale; *at; at++)
		if (!strncasecmp(at, "utf-8", 5) || !strncasecmp(at, "utf8", 4))
			return true;
	return false;
}

bool ascii_is_wanted(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *locale = getenv(names[i]);
		if (locale && *locale)
			return !names_utf8(locale);
	}
	return true;
}

static const char *replacement_of(uint32_t code)
{
	for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++)
		if (replacements[i].code == code)
			return replacements[i].ascii;
	return "?";
}

size_t ascii_make(char *bytes, size_t size)
{
	size_t to = 0;
	size_t length = 0;
	for (size_t at = 0; at < size; at += length) {
		uint32_t code = text_character(bytes + at, size - at, &length);
		length = length ? length : 1;
		if (code < 0x80 && length == 1 && (unsigned char)bytes[at] < 0x80) {
			bytes[to++] = bytes[at];
			continue;
		}
		for (const char *from = replacement_of(code); *from; from++)
			bytes[to++] = *from;
	}
	return to;
}

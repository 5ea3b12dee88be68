/*
 * python_text.c - read str objects in the compact form of one, two or four bytes per character,
 * which every literal and every name of code has.
 */
#include "record/python/python_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "record/journal/strings.h"

enum {
	MAX_BYTES = 4096, /* PATH_MAX; Python itself limits names only by memory */
	LONGEST = 4,      /* bytes of UTF-8 for one character */
};

/* PyASCIIObject.state, the same in all versions of python_layout.c. */
enum { STATE_KIND = 7 << 2, STATE_KIND_SHIFT = 2, STATE_COMPACT = 1 << 5, STATE_ASCII = 1 << 6 };

/* PEP 383: a byte b that is not UTF-8 is decoded as this + b. */
enum { ESCAPED_BYTE = 0xdc00, FIRST_SURROGATE = 0xd800, LAST_SURROGATE = 0xdfff };

static uint32_t character_at(const unsigned char *characters, uint32_t kind, size_t index)
{
	if (kind == 1)
		return characters[index];
	uint16_t two = 0;
	if (kind == 2) {
		memcpy(&two, characters + 2 * index, sizeof(two));
		return two;
	}
	uint32_t four = 0;
	memcpy(&four, characters + 4 * index, sizeof(four));
	return four;
}

static size_t put_bytes(char *out, uint32_t lead, uint32_t character, int n_more)
{
	out[0] = (char)(lead | character >> 6 * n_more);
	for (int i = 1; i <= n_more; i++)
		out[i] = (char)(0x80 | (character >> 6 * (n_more - i) & 0x3f));
	return (size_t)n_more + 1;
}

/* Write one character, at most LONGEST bytes, and return the number of bytes. */
static size_t put_character(char *out, uint32_t character)
{
	bool is_surrogate = character >= FIRST_SURROGATE && character <= LAST_SURROGATE;
	bool is_escaped = character >= ESCAPED_BYTE + 0x80 && character <= ESCAPED_BYTE + 0xff;
	if (character < 0x80 || is_escaped)
		return put_bytes(out, 0, character & 0xff, 0);
	if (is_surrogate)
		return put_bytes(out, 0, '?', 0);
	if (character < 0x800)
		return put_bytes(out, 0xc0, character, 1);
	if (character < 0x10000)
		return put_bytes(out, 0xe0, character, 2);
	return put_bytes(out, 0xf0, character & 0x1fffff, 3);
}

/* Static: too big for a host thread's stack. Guarded by the lock that the header names. */
static char buffer[MAX_BYTES];

static size_t convert(const unsigned char *characters, uint32_t kind, size_t length)
{
	size_t size = 0;
	for (size_t i = 0; i < length && size + LONGEST <= sizeof(buffer); i++)
		size += put_character(buffer + size, character_at(characters, kind, i));
	return size;
}

uint32_t python_text_hold(const struct python *python, const void *object)
{
	const struct python_layout *layout = python->layout;
	const unsigned char *text = object;
	if (!object)
		return 0;
	uint32_t state = 0;
	memcpy(&state, text + layout->text.state, sizeof(state));
	int64_t length = 0;
	memcpy(&length, text + layout->text.length, sizeof(length));
	if (!(state & STATE_COMPACT) || length < 0)
		return 0;
	size_t n = (size_t)length;
	if (state & STATE_ASCII)
		return strings_hold((const char *)text + layout->text.ascii,
				    n < MAX_BYTES ? n : MAX_BYTES, STRINGS_OTHER);
	uint32_t kind = (state & STATE_KIND) >> STATE_KIND_SHIFT;
	return strings_hold(buffer, convert(text + layout->text.wide, kind, n), STRINGS_OTHER);
}

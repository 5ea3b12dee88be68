/*
 * text.c - a bounded writer of text. It does not flush: what is done with the buffer is the
 * caller's business.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text text_in(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct text){.at = buffer, .end = buffer + size};
}

static void add_bytes(struct text *text, const char *bytes, size_t size)
{
	size_t room = (size_t)(text->end - text->at) - 1;

	if (size > room) {
		size = room;
		text->cut = true;
	}
	memcpy(text->at, bytes, size);
	text->at += size;
	*text->at = '\0';
}

void text_add(struct text *text, const char *string)
{
	if (string)
		add_bytes(text, string, strlen(string));
}

/* Length of the printable UTF-8 sequence at `bytes`, 0 if there is none. */
static size_t printable_length(const unsigned char *bytes, size_t size)
{
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;

	if (bytes[0] < 0x20 || bytes[0] == 0x7f || (bytes[0] >= 0x80 && bytes[0] < 0xc2) ||
	    bytes[0] > 0xf4 || length > size)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	}
	/* U+0080 to U+009F: control characters in eight bits, which terminals obey. */
	return bytes[0] == 0xc2 && bytes[1] < 0xa0 ? 0 : length;
}

void text_add_foreign(struct text *text, const char *bytes, size_t size)
{
	size_t i = 0;

	while (i < size) {
		size_t length = printable_length((const unsigned char *)bytes + i, size - i);

		add_bytes(text, length ? bytes + i : "?", length ? length : 1);
		i += length ? length : 1;
	}
}

void text_addf(struct text *text, const char *format, ...)
{
	size_t room = (size_t)(text->end - text->at);
	va_list arguments;
	int length;

	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 misses va_start here. */
	length = vsnprintf(text->at, room, format, arguments);
	va_end(arguments);
	if (length < 0) {
		*text->at = '\0';
		text->cut = true;
	} else if ((size_t)length >= room) {
		text->at = text->end - 1;
		text->cut = true;
	} else {
		text->at += length;
	}
}

void text_pad(struct text *text, const char *start, size_t width)
{
	while ((size_t)(text->at - start) < width && !text->cut)
		add_bytes(text, " ", 1);
}

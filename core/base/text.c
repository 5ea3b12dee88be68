/*
 * text.c - a bounded writer of text. The caller decides what to do with the buffer.
 */
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text text_in(char *buffer, size_t size)
{
	buffer[0] = '\0';
	return (struct text){.at = buffer, .end = buffer + size, .start = buffer};
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

const char *text_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void text_add(struct text *text, const char *string)
{
	if (string)
		add_bytes(text, string, strlen(string));
}

/* A character decoded from UTF-8, and its length in bytes; 0: the bytes here are broken. */
struct character {
	uint32_t code;
	size_t length;
};

static bool is_no_character(uint32_t code)
{
	return (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff;
}

/* Decode strictly (RFC 3629): reject overlong forms, surrogates and codes above U+10FFFF. */
static struct character read_character(const unsigned char *bytes, size_t size)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	uint32_t code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
	if ((length > 1 && bytes[0] < 0xc2) || bytes[0] > 0xf4 || length > size)
		return (struct character){0};
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return (struct character){0};
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (code < smallest[length] || is_no_character(code))
		return (struct character){0};
	return (struct character){.code = code, .length = length};
}

/*
 * The ranges are characters that a terminal obeys (below U+00A0), that change the direction of
 * text, that end a line, or that are invisible: they make a name look like another one.
 */
bool text_is_printable(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
		      {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
		      {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
	if (code >= ' ' && code <= '~')
		return true;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last)
			return false;
	}
	return true;
}

uint32_t text_character(const char *bytes, size_t size, size_t *out_length)
{
	struct character character = read_character((const unsigned char *)bytes, size);
	*out_length = character.length;
	return character.code;
}

/*
 * True if a build server takes this for a workflow command in its log: "::" at the start of a line,
 * after blanks too, and "##[" and "##vso[" anywhere.
 */
static bool is_workflow_command(const char *bytes, size_t size, bool is_line_start)
{
	static const char *const marks[] = {"##[", "##vso[", "::"};
	if (*bytes != '#' && *bytes != ':')
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t length = strlen(marks[i]);
		if ((*marks[i] == '#' || is_line_start) && size >= length &&
		    memcmp(bytes, marks[i], length) == 0)
			return true;
	}
	return false;
}

size_t text_make_harmless(char *bytes, size_t size)
{
	size_t n_kept = 0;
	size_t length = 0;
	bool is_line_start = true;
	for (size_t at = 0; at < size; at += length) {
		uint32_t code = text_character(bytes + at, size - at, &length);
		bool is_kept = length && (code == '\n' || text_is_printable(code)) &&
			       !is_workflow_command(bytes + at, size - at, is_line_start);
		if (is_kept) {
			memmove(bytes + n_kept, bytes + at, length);
			n_kept += length;
		} else {
			bytes[n_kept++] = '?';
			length = length ? length : 1;
		}
		is_line_start = code == '\n' || (is_line_start && code == ' ');
	}
	return n_kept;
}

/* True if the text's last line has only blanks so far. */
static bool is_at_line_start(const struct text *text)
{
	const char *at = text->at;
	while (at > text->start && at[-1] == ' ')
		at--;
	return at == text->start || at[-1] == '\n' || at[-1] == '\0';
}

void text_add_foreign(struct text *text, const char *bytes, size_t size)
{
	size_t i = 0;
	bool is_start = is_at_line_start(text);
	while (i < size) {
		struct character character =
			read_character((const unsigned char *)bytes + i, size - i);
		bool is_shown = character.length && text_is_printable(character.code) &&
				!is_workflow_command(bytes + i, size - i, is_start);
		is_start = is_start && character.code == ' ';

		if (is_shown && character.length >= (size_t)(text->end - text->at)) {
			text->cut = true;
			return;
		}
		add_bytes(text, is_shown ? bytes + i : "?", is_shown ? character.length : 1);
		i += character.length ? character.length : 1;
	}
}

void text_addf(struct text *text, const char *format, ...)
{
	size_t room = (size_t)(text->end - text->at);
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 misses va_start here. */
	int length = vsnprintf(text->at, room, format, arguments);
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

void text_add_count(struct text *text, uint64_t n, const char *noun)
{
	size_t length = strlen(noun);
	text_addf(text, "%" PRIu64 " %s", n, noun);
	if (n != 1)
		text_add(text, length > 0 && noun[length - 1] == 'h' ? "es" : "s");
}

void text_pad(struct text *text, const char *start, size_t width)
{
	while ((size_t)(text->at - start) < width && !text->cut)
		add_bytes(text, " ", 1);
}

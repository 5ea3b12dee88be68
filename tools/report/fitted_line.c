/*
 * fitted_line.c - cuts and breaks lines by columns.
 */
#include "report/fitted_line.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

/* Broken lines have at least LEAST_ROOM columns. */
enum { FIRST_WIDE = 0x300, HANGING = 2, LEAST_ROOM = 16 };

static const char ellipsis[] = "\xe2\x80\xa6";

/* Uses the C library's table for UTF-8, whatever the user's locale is. */
static size_t columns_of(uint32_t code)
{
	static locale_t utf8;
	if (code < FIRST_WIDE)
		return 1;
	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!utf8)
		return 1;
	locale_t before = uselocale(utf8);
	int width = wcwidth((wchar_t)code);
	uselocale(before);
	return width < 0 ? 1 : (size_t)width;
}

/* Return the bytes of the character at `bytes`, and its columns. */
static size_t step(const char *bytes, size_t size, size_t *out_columns)
{
	size_t length = 0;
	uint32_t code = text_character(bytes, size, &length);
	*out_columns = length ? columns_of(code) : 1;
	return length ? length : 1;
}

size_t fitted_width(const char *bytes, size_t size)
{
	size_t width = 0;
	for (size_t at = 0, columns = 0; at < size; width += columns)
		at += step(bytes + at, size - at, &columns);
	return width;
}

/* Returns the number of bytes that fit in `columns`. */
static size_t bytes_within(const char *bytes, size_t size, size_t columns)
{
	size_t at = 0;
	while (at < size) {
		size_t width = 0;
		size_t length = step(bytes + at, size - at, &width);
		if (width > columns)
			break;
		columns -= width;
		at += length;
	}
	return at;
}

void fitted_name(const char *bytes, size_t size, size_t columns, FILE *out)
{
	size_t width = fitted_width(bytes, size);
	if (width <= columns) {
		fwrite(bytes, 1, size, out);
		return;
	}
	size_t head = bytes_within(bytes, size, columns / 2);
	/* The columns to the right of the ellipsis are for the end of the text. */
	size_t skipped = bytes_within(bytes, size, width - (columns - columns / 2 - 1));
	while (fitted_width(bytes + skipped, size - skipped) > columns - columns / 2 - 1)
		skipped += bytes_within(bytes + skipped, size - skipped, 2);
	fwrite(bytes, 1, head, out);
	fputs(ellipsis, out);
	fwrite(bytes + skipped, 1, size - skipped, out);
}

void fitted_start(const char *bytes, size_t size, size_t columns, FILE *out)
{
	if (fitted_width(bytes, size) <= columns) {
		fwrite(bytes, 1, size, out);
		return;
	}
	fwrite(bytes, 1, bytes_within(bytes, size, columns - 1), out);
	fputs(ellipsis, out);
}

void fitted_words(const char *bytes, size_t size, size_t indent, size_t columns, FILE *out)
{
	size_t room = columns > indent + LEAST_ROOM ? columns - indent : LEAST_ROOM;
	size_t at = 0; /* column after the indent */
	bool is_first = true;
	for (size_t begin = 0; begin < size;) {
		size_t spaces = strspn(bytes + begin, " ");
		size_t length = strcspn(bytes + begin + spaces, " \n");
		if (begin + spaces + length > size)
			length = size > begin + spaces ? size - begin - spaces : 0;
		size_t width = fitted_width(bytes + begin + spaces, length);
		if (!is_first && at + spaces + width > room) {
			fprintf(out, "\n%*s", (int)(indent + HANGING), "");
			at = HANGING;
			spaces = 0;
			begin += strspn(bytes + begin, " ");
		}
		fprintf(out, "%*s", (int)spaces, "");
		fitted_name(bytes + begin + spaces, length, room - (is_first ? 0 : HANGING), out);
		at += spaces + (width < room ? width : room);
		begin += spaces + length;
		is_first = false;
	}
}

/* Write a word from column `at` on, and break it where lines end. Returns the column after it. */
static size_t break_word(const char *bytes, size_t size, size_t at, size_t columns, FILE *out)
{
	while (at + fitted_width(bytes, size) > columns) {
		size_t part = bytes_within(bytes, size, columns - at);
		part = part ? part : 1;
		fwrite(bytes, 1, part, out);
		fprintf(out, "\n%*s", HANGING, "");
		bytes += part;
		size -= part;
		at = HANGING;
	}
	fwrite(bytes, 1, size, out);
	return at + fitted_width(bytes, size);
}

size_t fitted_headline(const char *bytes, size_t size, size_t columns, FILE *out)
{
	size_t at = 0;
	for (size_t begin = 0; begin < size;) {
		const char *space = memchr(bytes + begin, ' ', size - begin);
		size_t length = space ? (size_t)(space - bytes) - begin : size - begin;
		size_t gap = begin ? 1 : 0;
		if (gap && at + gap + fitted_width(bytes + begin, length) > columns) {
			fprintf(out, "\n%*s", HANGING, "");
			at = HANGING;
			gap = 0;
		}
		fprintf(out, "%*s", (int)gap, "");
		at = break_word(bytes + begin, length, at + gap, columns, out);
		begin += length + 1;
	}
	return at;
}

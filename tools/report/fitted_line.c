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

/*
 * Names of at most SHORTEST_NAME columns are not cut in a headline. Broken lines have at least
 * LEAST_ROOM columns.
 */
enum { SHORTEST_NAME = 20, MAX_NAMES = 32, FIRST_WIDE = 0x300, HANGING = 2, LEAST_ROOM = 16 };

static const char ellipsis[] = "\xe2\x80\xa6";
static const char dash[] = "\xe2\x80\x94"; /* in a headline, between the error and the verdict */

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

/* A word, and the number of columns that it may take. */
struct word {
	const char *bytes;
	size_t size;
	size_t width;
};

static size_t split(const char *bytes, size_t size, struct word *words)
{
	size_t n = 0;
	for (size_t at = 0; at < size && n < MAX_NAMES; n++) {
		const char *space = memchr(bytes + at, ' ', size - at);
		size_t length = space ? (size_t)(space - (bytes + at)) : size - at;
		/* The last word takes the rest of the text. */
		if (n + 1 == MAX_NAMES)
			length = size - at;
		words[n] = (struct word){bytes + at, length, fitted_width(bytes + at, length)};
		at += length + 1;
	}
	return n;
}

/* Return the index of the widest word from `first` on, which exists. */
static size_t find_longest(const struct word *words, size_t first, size_t n)
{
	size_t longest = first;
	for (size_t i = first + 1; i < n; i++)
		if (words[i].width > words[longest].width)
			longest = i;
	return longest;
}

/* Return the first word after the dash: the program's names come after it, the error's before. */
static size_t find_names(const struct word *words, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (words[i].size == strlen(dash) && !memcmp(words[i].bytes, dash, strlen(dash)))
			return i + 1;
	return 0;
}

static size_t sum(const struct word *words, size_t n)
{
	size_t columns = n ? n - 1 : 0;
	for (size_t i = 0; i < n; i++)
		columns += words[i].width;
	return columns;
}

/* Shorten the longest words from `first` on, down to a limit, until all fit. */
static bool shorten(struct word *words, size_t first, size_t n, size_t columns)
{
	while (first < n && sum(words, n) > columns) {
		struct word *word = &words[find_longest(words, first, n)];
		size_t excess = sum(words, n) - columns;
		if (word->width <= SHORTEST_NAME)
			return false;
		word->width =
			word->width > SHORTEST_NAME + excess ? word->width - excess : SHORTEST_NAME;
	}
	return sum(words, n) <= columns;
}

void fitted_headline(const char *bytes, size_t size, size_t columns, FILE *out)
{
	struct word words[MAX_NAMES];
	size_t n = split(bytes, size, words);
	bool fits =
		shorten(words, find_names(words, n), n, columns) || shorten(words, 0, n, columns);
	size_t at = 0;
	for (size_t i = 0; i < n; i++) {
		size_t width = words[i].width + (i ? 1 : 0);
		if (!fits && at + width > columns - 1) {
			fputs(ellipsis, out);
			return;
		}
		fputs(i ? " " : "", out);
		fitted_name(words[i].bytes, words[i].size, words[i].width, out);
		at += width;
	}
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

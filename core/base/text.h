/*
 * text.h - writes text into the caller's buffer. It allocates nothing, ignores the locale and never
 * writes past the end. Text that does not fit is dropped, and `cut` is set.
 */
#ifndef CULPRIT_BASE_TEXT_H
#define CULPRIT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Invariant: *at is a NUL and at < end, so the buffer is always a string. */
struct text {
	char *at;          /* where the next byte goes */
	char *end;         /* one past the buffer */
	const char *start; /* of the buffer */
	bool cut;          /* some text did not fit */
};

/* Return an empty text in `buffer`, whose size must not be 0. */
struct text text_in(char *buffer, size_t size);

/* Return the part of a path after its last slash. */
const char *text_file_name(const char *path);

static inline bool text_has_prefix(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}
static inline bool text_is_digit(char character)
{
	return character >= '0' && character <= '9';
}

/* Append a string of culprit's own. NULL appends nothing. */
void text_add(struct text *text, const char *string);

/*
 * Append foreign bytes as strict, printable UTF-8. Each broken byte becomes '?', and so does each
 * character that is invisible, controls the terminal or changes the direction of text. So a hostile
 * name can neither drive a terminal nor look like another name. Text that a build server takes for
 * a command in its log gets a '?' too: "::" at the start of a line, "##[" and "##vso["
 * anywhere.
 */
void text_add_foreign(struct text *text, const char *bytes, size_t size);

/* Replace the same bytes in lines, in place. Returns the new size, at most the old one. */
size_t text_make_harmless(char *bytes, size_t size);

/*
 * text_character() returns the first character of at least one byte of UTF-8; *out_length is its
 * size in bytes, 0 if it is broken. text_is_printable() is true for a character that terminals
 * neither obey nor hide.
 */
uint32_t text_character(const char *bytes, size_t size, size_t *out_length);
bool text_is_printable(uint32_t code);

/* Like printf, without floating point, which depends on the locale. Not for foreign strings. */
__attribute__((format(printf, 2, 3))) void text_addf(struct text *text, const char *format, ...);

/* Append "3 launches" or "1 launch": the plural gets an "s" or "es". */
void text_add_count(struct text *text, uint64_t n, const char *noun);

/* Append spaces until `width` bytes are between `start` and the end of the text. */
void text_pad(struct text *text, const char *start, size_t width);

#endif

/*
 * text.h - text into a buffer of the caller: no memory of its own, no locale, never past the end.
 * What does not fit is dropped and remembered in `cut`.
 */
#ifndef CULPRIT_BASE_TEXT_H
#define CULPRIT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Invariant: *at is a NUL and at < end, so the buffer is always a string. */
struct text {
	char *at;  /* where the next byte goes */
	char *end; /* one past the buffer */
	bool cut;  /* something did not fit */
};

/* An empty text in `buffer`, whose size must not be 0. */
struct text text_in(char *buffer, size_t size);

/* Adds a string that culprit wrote itself. NULL adds nothing. */
void text_add(struct text *text, const char *string);

/*
 * Adds foreign bytes as printable UTF-8, strictly: what is broken becomes '?', byte by byte, and so
 * do control characters, those that turn the direction of text, and those that are not seen. So a
 * hostile name cannot drive a terminal, nor look like another one. What a build server takes for a
 * command in its log gets a '?' too: "::" at the begin, "##[" and "##vso[" anywhere.
 */
void text_add_foreign(struct text *text, const char *bytes, size_t size);

/* Do the same to lines, in place. Returns their size, which does not grow. */
size_t text_make_harmless(char *bytes, size_t size);

/*
 * The character that UTF-8 bytes begin with (one at least); *out_length is 0 where they are broken.
 * And whether one is shown as it is: terminals neither obey it nor hide it.
 */
uint32_t text_character(const char *bytes, size_t size, size_t *out_length);
bool text_is_printable(uint32_t code);

/* As printf, without floating point (it would follow the locale). Foreign strings do not go here.
 */
__attribute__((format(printf, 2, 3))) void text_addf(struct text *text, const char *format, ...);

/* "3 launches", "1 launch": the noun gets an "s" or "es". */
void text_add_count(struct text *text, uint64_t n, const char *noun);

/* Adds spaces until `width` bytes lie between `start` and the end of the text. */
void text_pad(struct text *text, const char *start, size_t width);

#endif

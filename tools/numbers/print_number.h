/*
 * print_number.h - append bytes and numbers several times as fast as printf(): a line has dozens.
 */
#ifndef CULPRIT_TOOLS_PRINT_NUMBER_H
#define CULPRIT_TOOLS_PRINT_NUMBER_H

#include <string.h>

#include "base/text.h"

/* Append the bytes; if they do not fit, append nothing and set `cut`. */
static inline void print_bytes(const char *bytes, size_t size, struct text *out)
{
	if (size >= (size_t)(out->end - out->at)) {
		out->cut = true;
		return;
	}
	memcpy(out->at, bytes, size);
	out->at += size;
	*out->at = '\0';
}

/* Append a constant string, whose length the compiler knows. */
static inline void print_words(const char *words, struct text *out)
{
	print_bytes(words, strlen(words), out);
}

/* Append the number in decimal. */
void print_decimal(uint64_t value, struct text *out);

/* Append the number as "0x7f6c34808a00". */
void print_hexadecimal(uint64_t value, struct text *out);

#endif

/*
 * print_number.h - what lines are put together from, several times as fast as printf and without a
 * call for a few bytes: a line has dozens of them.
 */
#ifndef CULPRIT_TOOLS_PRINT_NUMBER_H
#define CULPRIT_TOOLS_PRINT_NUMBER_H

#include <string.h>

#include "base/text.h"

/* All of them, or none where they do not fit. */
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

/* A few words of ours, whose length the compiler knows. */
static inline void print_words(const char *words, struct text *out)
{
	print_bytes(words, strlen(words), out);
}

void print_decimal(uint64_t value, struct text *out);

/* "0x7f6c34808a00" */
void print_hexadecimal(uint64_t value, struct text *out);

#endif

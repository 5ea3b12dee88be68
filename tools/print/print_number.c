/*
 * print_number.c - digits from the last one on.
 */
#include "print/print_number.h"

enum { MOST_DIGITS = 24 };

void print_decimal(uint64_t value, struct text *out)
{
	char digits[MOST_DIGITS + 1];
	char *at = digits + MOST_DIGITS;

	*at = '\0';
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	text_add(out, at);
}

void print_hexadecimal(uint64_t value, struct text *out)
{
	char digits[MOST_DIGITS + 1];
	char *at = digits + MOST_DIGITS;

	*at = '\0';
	do
		*--at = "0123456789abcdef"[value % 16];
	while (value /= 16);
	text_add(out, "0x");
	text_add(out, at);
}

/*
 * test_print_number.c - unit tests of print_number: the same digits as printf(), whole or not at
 * all.
 */
#include "numbers/print_number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

static void prints(uint64_t value)
{
	char buffer[64];
	struct text text = text_in(buffer, sizeof(buffer));
	char wanted[64];
	snprintf(wanted, sizeof(wanted), "%" PRIu64 " 0x%" PRIx64, value, value);
	print_decimal(value, &text);
	print_words(" ", &text);
	print_hexadecimal(value, &text);
	CHECK(!text.cut && !strcmp(buffer, wanted));
}

static void prints_as_printf_does(void)
{
	prints(0);
	prints(UINT64_MAX);
	for (uint64_t power = 1; power; power *= 2) {
		prints(power);
		prints(power - 1);
	}
	for (uint64_t power = 1; power < UINT64_MAX / 10; power *= 10) {
		prints(power);
		prints(power - 1);
		prints(7 * power + 1);
	}
}

static void stays_within_the_buffer(void)
{
	char buffer[9];
	struct text text = text_in(buffer, sizeof(buffer) - 1);
	buffer[8] = '#';
	print_hexadecimal(0xabcde, &text);
	CHECK(!text.cut && !strcmp(buffer, "0xabcde"));
	print_decimal(5, &text);
	CHECK(text.cut && !strcmp(buffer, "0xabcde") && buffer[8] == '#');
}

int main(void)
{
	prints_as_printf_does();
	stays_within_the_buffer();
	return 0;
}

/*
 * print_number.c - make digits from the last one backwards, decimal ones in pairs.
 */
#include "numbers/print_number.h"

enum { MOST_DIGITS = 24 };

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* Copy a fixed length, which takes a few instructions; what follows the digits is overwritten. */
static void add_digits(const char *digits, size_t n, struct text *out)
{
	if ((size_t)(out->end - out->at) <= MOST_DIGITS) {
		print_bytes(digits, n, out);
		return;
	}
	memcpy(out->at, digits, MOST_DIGITS);
	out->at += n;
	*out->at = '\0';
}

void print_decimal(uint64_t value, struct text *out)
{
	char digits[2 * MOST_DIGITS] = {0};
	char *at = digits + MOST_DIGITS;
	for (; value >= 10; value /= 100) {
		at -= 2;
		memcpy(at, pairs + 2 * (value % 100), 2);
	}
	if (value || at == digits + MOST_DIGITS)
		*--at = (char)('0' + value);
	add_digits(at, (size_t)(digits + MOST_DIGITS - at), out);
}

/* Return eight hexadecimal digits in reading order, one byte for each four bits, without a loop. */
static uint64_t digits_of(uint32_t value)
{
	const uint64_t ones = 0x0101010101010101ull;
	uint64_t nibbles = value;
	nibbles = (nibbles << 16 | nibbles) & 0x0000ffff0000ffffull;
	nibbles = (nibbles << 8 | nibbles) & 0x00ff00ff00ff00ffull;
	nibbles = (nibbles << 4 | nibbles) & 0x0f0f0f0f0f0f0f0full;
	uint64_t are_letters = (nibbles + 6 * ones) >> 4 & ones;
	return __builtin_bswap64(nibbles + '0' * ones + ('a' - '0' - 10) * are_letters);
}

void print_hexadecimal(uint64_t value, struct text *out)
{
	const uint64_t halves[2] = {digits_of((uint32_t)(value >> 32)), digits_of((uint32_t)value)};
	size_t n = value ? (size_t)(67 - __builtin_clzll(value)) / 4 : 1;
	char digits[2 * MOST_DIGITS] = {0};
	char *at = digits + 2 + sizeof(halves) - n;
	memcpy(digits + 2, halves, sizeof(halves));
	at[-1] = 'x';
	at[-2] = '0';
	add_digits(at - 2, n + 2, out);
}

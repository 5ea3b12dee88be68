/*
 * damaged.c - call frame instructions of random bytes: running them must terminate and must not
 * read past their end, which the address sanitizer checks. Usage: damaged ROUNDS.
 */
#include <stdlib.h>

#include "record/stacks/unwind_cfi.h"
#include "support/check.h"

enum { MAX_SIZE = 64 };

static uint64_t seed = 88172645463325252ull;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 11;
}

static bool run(size_t size)
{
	uint8_t *copy = malloc(size); /* of exactly that size, so that one byte more is seen */
	CHECK(copy != NULL);
	for (size_t i = 0; i < size; i++) /* instructions are small numbers, mostly */
		copy[i] = (uint8_t)(next() % 2 ? next() : next() % 0x30);
	struct cfi_common common = {.code_unit = next() % 3,
				    .data_unit = (int64_t)(next() % 3) - 2,
				    .pointer_encoding = (uint8_t)next()};
	struct cfi_row row = {.cfa_register = CFI_SP};
	struct unwind_bytes bytes = {.at = copy, .end = copy + size};
	bool is_good = cfi_run(bytes, &common, 0, next(), &row);
	free(copy);
	return is_good;
}

int main(int n_arguments, char **arguments)
{
	CHECK_EQUAL(n_arguments, 2);
	long n_good = 0, n_rounds = atol(arguments[1]);
	for (long i = 0; i < n_rounds; i++)
		n_good += run(1 + next() % MAX_SIZE);
	printf("%ld of %ld programs were accepted\n", n_good, n_rounds);
	CHECK(n_good > 0 && n_good < n_rounds);
	return 0;
}

/*
 * test_values.c - unit tests of values: guessed types and summaries.
 */
#include "numbers/values.h"

#include <math.h>

#include "support/check.h"

enum { N = 256 };

static unsigned char bytes[8 * N];

static void put(size_t i, const void *value, size_t size)
{
	memcpy(bytes + i * size, value, size);
}

/* Values like a layer's weights: of both signs, around 0, all different. */
static double weight(int i)
{
	return sin(i * 12.9898) * 0.3 + cos(i * 0.1) * 0.05;
}

static uint16_t as_bf16(double value)
{
	float single = (float)value;
	uint32_t bits = 0;
	memcpy(&bits, &single, sizeof(bits));
	return (uint16_t)(bits >> 16);
}

static uint16_t as_f16(double value)
{
	int exponent = 0;
	double fraction = frexp(fabs(value), &exponent);
	return (uint16_t)((value < 0) << 15 | (exponent + 14) << 10 |
			  (int)((fraction * 2 - 1) * 1024));
}

static void guesses_floats(void)
{
	for (int i = 0; i < N; i++)
		put((size_t)i, &(float){(float)weight(i)}, 4);
	CHECK_EQUAL(values_guess(bytes, 4 * N), VALUE_F32);
	put(7, &(float){NAN}, 4);
	CHECK_EQUAL(values_guess(bytes, 4 * N), VALUE_F32);
	for (int i = 0; i < N; i++)
		put((size_t)i, &(double){weight(i)}, 8);
	CHECK_EQUAL(values_guess(bytes, 8 * N), VALUE_F64);
	for (int i = 0; i < N; i++)
		put((size_t)i, &(uint16_t){as_bf16(weight(i))}, 2);
	CHECK_EQUAL(values_guess(bytes, 2 * N), VALUE_BF16);
	for (int i = 0; i < N; i++)
		put((size_t)i, &(uint16_t){as_f16(weight(i))}, 2);
	CHECK_EQUAL(values_guess(bytes, 2 * N), VALUE_F16);
}

static void guesses_integers(void)
{
	for (int i = 0; i < N; i++)
		put((size_t)i, &(int32_t){i - 5}, 4);
	CHECK_EQUAL(values_guess(bytes, 4 * N), VALUE_I32);
	for (int i = 0; i < 8 * N; i++)
		bytes[i] = (unsigned char)(i * i * 37 >> 3);
	CHECK_EQUAL(values_guess(bytes, 8 * N), VALUE_U8);
	CHECK_EQUAL(values_guess(bytes, 0), VALUE_U8);
}

static void summarises(void)
{
	const float values[] = {1, -3, NAN, INFINITY, 5};
	const uint16_t halves[] = {0x3c00, 0xc000, 0x7c00, 0x7e00, 0x0001}; /* 1 -2 inf NaN 2^-24 */
	struct value_summary summary;
	values_summarise(VALUE_F32, (const void *)values, sizeof(values), &summary);
	CHECK_EQUAL(summary.n, 5);
	CHECK_EQUAL(summary.n_nan, 1);
	CHECK_EQUAL(summary.n_infinite, 1);
	CHECK_EQUAL(summary.first_odd, 2);
	CHECK(summary.min == -3 && summary.max == 5 && summary.mean == 1);
	values_summarise(VALUE_F16, (const void *)halves, sizeof(halves), &summary);
	CHECK_EQUAL(summary.n_nan, 1);
	CHECK_EQUAL(summary.n_infinite, 1);
	CHECK(summary.min == -2 && summary.max == 1);
	values_summarise(VALUE_F64, (const void *)values, 7, &summary);
	CHECK_EQUAL(summary.n, 0);
}

static void counts_what_changed(void)
{
	const int32_t before[] = {1, 2, 3, 4};
	const int32_t after[] = {1, 5, 3, 6};
	CHECK_EQUAL(values_count_changed(VALUE_I32, (const void *)before, (const void *)after, 16),
		    2);
	CHECK_EQUAL(values_count_changed(VALUE_I64, (const void *)before, (const void *)after, 16),
		    2);
	CHECK_EQUAL(values_count_changed(VALUE_I32, (const void *)before, (const void *)before, 16),
		    0);
}

int main(void)
{
	guesses_floats();
	guesses_integers();
	summarises();
	counts_what_changed();
	return 0;
}

/*
 * values.c - read values from a copy of GPU memory, which is little-endian like the host.
 */
#include "numbers/values.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *word;
	size_t size;
} types[N_VALUE_TYPES] = {
	[VALUE_GUESSED] = {"guess", 1}, [VALUE_F32] = {"f32", 4},   [VALUE_F64] = {"f64", 8},
	[VALUE_F16] = {"f16", 2},       [VALUE_BF16] = {"bf16", 2}, [VALUE_I32] = {"i32", 4},
	[VALUE_I64] = {"i64", 8},       [VALUE_U8] = {"u8", 1},     [VALUE_E4M3] = {"e4m3", 1},
	[VALUE_E5M2] = {"e5m2", 1},
};

size_t value_type_size(enum value_type type)
{
	return types[type].size;
}

const char *value_type_label(enum value_type type)
{
	return types[type].word;
}

bool value_type_is_integer(enum value_type type)
{
	return type >= VALUE_I32 && type <= VALUE_U8;
}

/* IEEE 754 half precision: 5 bits of exponent, 10 of fraction. */
static double read_half(uint16_t bits)
{
	enum { BIAS = 15, FRACTION = 10, SPECIAL = 31 };
	int exponent = bits >> FRACTION & SPECIAL;
	double fraction = bits & ((1 << FRACTION) - 1);
	double sign = bits >> 15 ? -1 : 1;
	if (exponent == SPECIAL)
		return fraction > 0 ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * ldexp(fraction, 1 - BIAS - FRACTION);
	return sign * ldexp(fraction + (1 << FRACTION), exponent - BIAS - FRACTION);
}

/* The largest number of this type would be infinite in a type with an infinity; NaN is all ones. */
static double read_e4m3(uint8_t bits)
{
	enum { BIAS = 7, FRACTION = 3, MAGNITUDE = 0x7f };
	int exponent = (bits & MAGNITUDE) >> FRACTION;
	double fraction = bits & ((1 << FRACTION) - 1);
	double sign = bits >> 7 ? -1 : 1;
	if ((bits & MAGNITUDE) == MAGNITUDE)
		return NAN;
	if (exponent == 0)
		return sign * ldexp(fraction, 1 - BIAS - FRACTION);
	return sign * ldexp(fraction + (1 << FRACTION), exponent - BIAS - FRACTION);
}

static double read_single(uint32_t bits)
{
	float value = 0;
	memcpy(&value, &bits, sizeof(value));
	return (double)value;
}

static double read_value(enum value_type type, const unsigned char *bytes)
{
	uint64_t word = 0;
	memcpy(&word, bytes, types[type].size);
	double value = 0;
	switch (type) {
	case VALUE_F32:
		return read_single((uint32_t)word);
	case VALUE_F64:
		memcpy(&value, &word, sizeof(value));
		return value;
	case VALUE_F16:
		return read_half((uint16_t)word);
	case VALUE_BF16:
		return read_single((uint32_t)word << 16);
	case VALUE_E4M3:
		return read_e4m3((uint8_t)word);
	case VALUE_E5M2: /* the upper half of an f16 */
		return read_half((uint16_t)(word << 8));
	case VALUE_I32:
		return (int32_t)word;
	case VALUE_I64:
		return (double)(int64_t)word;
	default:
		return (double)word;
	}
}

/* True if programs usually have values of this magnitude. NaN and infinity count as usual. */
static bool is_usual(enum value_type type, double value)
{
	if (type == VALUE_I32 || type == VALUE_I64)
		return fabs(value) < 1 << 24;
	return !isfinite(value) || value == 0 || (fabs(value) > 1e-30 && fabs(value) < 1e30);
}

static bool looks_like(enum value_type type, const unsigned char *bytes, size_t size)
{
	size_t n = size / types[type].size;
	size_t n_usual = 0;
	for (size_t i = 0; i < n; i++)
		n_usual += is_usual(type, read_value(type, bytes + i * types[type].size)) ? 1 : 0;
	return n && 10 * n_usual >= 9 * n;
}

/*
 * Two halves together look like a float, so look at each pair's lower half: in a float it is noise.
 * If nearly all lower halves, read as f16, are about 1, the type is bf16, whose exponent is there.
 */
static enum value_type guess_half(const unsigned char *bytes, size_t size)
{
	size_t n = 0;
	size_t n_near_one = 0;
	size_t n_usual = 0;
	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint16_t low = 0;
		memcpy(&low, bytes + at, sizeof(low));
		double value = fabs(read_half(low));
		n += low ? 1 : 0;
		n_near_one += low && value >= 0.25 && value < 8 ? 1 : 0;
		n_usual += low && value > 1e-3 && value < 100 ? 1 : 0;
	}
	if (n < size / 16 || 10 * n_usual < 9 * n)
		return VALUE_GUESSED;
	return 100 * n_near_one >= 98 * n ? VALUE_BF16 : VALUE_F16;
}

enum value_type values_guess(const unsigned char *bytes, size_t size)
{
	if (looks_like(VALUE_I32, bytes, size) &&
	    !looks_like(VALUE_F64, bytes, size)) /* in f64 every second word may be 0 */
		return VALUE_I32;
	if (looks_like(VALUE_F32, bytes, size)) {
		enum value_type half = guess_half(bytes, size);
		return half ? half : VALUE_F32;
	}
	if (looks_like(VALUE_F64, bytes, size))
		return VALUE_F64;
	if (looks_like(VALUE_I64, bytes, size))
		return VALUE_I64;
	return VALUE_U8;
}

static void count_special(double value, size_t at, struct value_summary *out)
{
	if (out->n_nan + out->n_infinite == 0)
		out->first_odd = at;
	if (isnan(value))
		out->n_nan++;
	else
		out->n_infinite++;
}

void values_summarise(enum value_type type, const unsigned char *bytes, size_t size,
		      struct value_summary *out)
{
	size_t n_finite = 0;
	*out = (struct value_summary){.n = size / types[type].size};
	for (size_t i = 0; i < out->n; i++) {
		double value = read_value(type, bytes + i * types[type].size);
		if (!isfinite(value)) {
			count_special(value, i, out);
			continue;
		}
		out->min = n_finite && out->min < value ? out->min : value;
		out->max = n_finite && out->max > value ? out->max : value;
		out->mean += (value - out->mean) / (double)++n_finite;
	}
}

size_t values_count_changed(enum value_type type, const unsigned char *before,
			    const unsigned char *after, size_t size)
{
	size_t width = types[type].size;
	size_t n = 0;
	for (size_t at = 0; at + width <= size; at += width)
		n += memcmp(before + at, after + at, width) ? 1 : 0;
	return n;
}

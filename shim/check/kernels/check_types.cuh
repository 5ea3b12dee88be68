/*
 * check_types.cuh - bits as numbers of each type, and which type bytes probably have. A part of
 * check.cu, on the GPU and in simcuda.
 */
#ifndef CULPRIT_CHECK_CHECK_TYPES_H
#define CULPRIT_CHECK_CHECK_TYPES_H

#include "kernel.h"

#include "base/check_format.h"

typedef unsigned long long word; /* CUDA's atomics take this type, not uint64_t */

struct alignas(16) chunk {
	word low, high;
};

static __device__ inline float from_bits(unsigned bits)
{
	union {
		unsigned bits;
		float value;
	} number = {bits};
	return number.value;
}

static __device__ inline double double_from_bits(word bits)
{
	union {
		word bits;
		double value;
	} number = {bits};
	return number.value;
}

/* A small float of `fraction` bits below an exponent that ends at bit `top`. */
static __device__ inline float small_float(unsigned bits, int top, int fraction)
{
	unsigned sign = bits >> top & 1;
	unsigned magnitude = bits & ((1u << top) - 1);
	int bias = (1 << (top - fraction - 1)) - 1;
	float scale = from_bits((unsigned)(127 + 127 - bias) << 23);
	float value = from_bits(magnitude << (23 - fraction)) * scale;
	return sign ? -value : value;
}

enum kind { FINITE, INFINITE, NOT_A_NUMBER };

struct number {
	double value;
	enum kind kind;
};

static __device__ inline struct number classified(word magnitude, word infinity, double value)
{
	return {value, magnitude < infinity    ? FINITE
		       : magnitude == infinity ? INFINITE
					       : NOT_A_NUMBER};
}

static __device__ inline int size_of(unsigned type)
{
	if (type == CHECK_F64 || type == CHECK_I64)
		return 8;
	if (type == CHECK_F16 || type == CHECK_BF16)
		return 2;
	return type == CHECK_F32 || type == CHECK_I32 ? 4 : 1;
}

static __device__ inline struct number number_of(unsigned type, word bits)
{
	switch (type) {
	case CHECK_F32:
		return classified(bits & 0x7fffffff, 0x7f800000, from_bits((unsigned)bits));
	case CHECK_F64:
		return classified(bits & ~(1ull << 63), 0x7ffull << 52, double_from_bits(bits));
	case CHECK_F16:
		return classified(bits & 0x7fff, 0x7c00, small_float((unsigned)bits, 15, 10));
	case CHECK_BF16:
		return classified(bits & 0x7fff, 0x7f80, from_bits((unsigned)bits << 16));
	case CHECK_E4M3: /* has no infinity */
		return {small_float((unsigned)bits, 7, 3),
			(bits & 0x7f) == 0x7f ? NOT_A_NUMBER : FINITE};
	case CHECK_E5M2:
		return classified(bits & 0x7f, 0x7c, small_float((unsigned)bits, 7, 2));
	case CHECK_I32:
		return {(double)(int)(unsigned)bits, FINITE};
	case CHECK_I64:
		return {(double)(long long)bits, FINITE};
	default:
		return {(double)(unsigned)bits, FINITE};
	}
}

/*
 * True for a NaN that arithmetic makes, on the GPU or on the host. Other bytes that are read as floats
 * have any payload.
 */
static __device__ inline bool is_usual_nan(unsigned type, word bits)
{
	int width = 8 * size_of(type);
	word magnitude = bits & ((1ull << (width - 1)) - 1);
	word all = (1ull << (width - 1)) - 1;
	int fraction = type == CHECK_F64    ? 52
		       : type == CHECK_F32  ? 23
		       : type == CHECK_F16  ? 10
		       : type == CHECK_BF16 ? 7
					    : 2;
	word quiet = (all >> (fraction - 1)) << (fraction - 1);
	return magnitude == all || magnitude == quiet;
}

/* How usual the first values are, if the bytes are read as each of these types. */
struct guess {
	unsigned f32, f64, i32, i64, low, low_usual, low_near_one;
};

static __device__ inline double absolute(double value)
{
	return value < 0 ? -value : value;
}

static __device__ inline bool is_usual(unsigned type, word bits)
{
	struct number number = number_of(type, bits);
	double size = absolute(number.value);
	if (type == CHECK_I32 || type == CHECK_I64)
		return size < 1 << 24;
	return number.kind != FINITE || size == 0 || (size > 1e-30 && size < 1e30);
}

static __device__ inline void count_word(struct guess *guess, unsigned bits)
{
	unsigned low = bits & 0xffff;
	double size = absolute(small_float(low, 15, 10));
	if ((low & 0x7c00) == 0x7c00)
		size = 1e30; /* infinite, or NaN */
	guess->f32 += is_usual(CHECK_F32, bits);
	guess->i32 += is_usual(CHECK_I32, bits);
	guess->low += low != 0;
	guess->low_usual += low && size > 1e-3 && size < 100;
	guess->low_near_one += low && size >= 0.25 && size < 8;
}

static __device__ inline void count_pair(struct guess *guess, word bits)
{
	count_word(guess, (unsigned)bits);
	count_word(guess, (unsigned)(bits >> 32));
	guess->f64 += is_usual(CHECK_F64, bits);
	guess->i64 += is_usual(CHECK_I64, bits);
}

/* The rules of values_guess() in tools/print/values.c, which says why. */
static __device__ unsigned guessed_type(const struct guess *guess, unsigned n_bytes)
{
	unsigned n_words = n_bytes / 4;
	unsigned n_pairs = n_bytes / 8;
	bool is_f64 = n_pairs && 10 * guess->f64 >= 9 * n_pairs;
	if (n_words && 10 * guess->i32 >= 9 * n_words && !is_f64)
		return CHECK_I32;
	if (n_words && 10 * guess->f32 >= 9 * n_words) {
		if (guess->low < n_bytes / 16 || 10 * guess->low_usual < 9 * guess->low)
			return CHECK_F32;
		return 100 * guess->low_near_one >= 98 * guess->low ? CHECK_BF16 : CHECK_F16;
	}
	if (is_f64)
		return CHECK_F64;
	return n_pairs && 10 * guess->i64 >= 9 * n_pairs ? CHECK_I64 : CHECK_U8;
}

#endif

/*
 * values.h - read bytes as numbers: guess their type, and summarise them.
 */
#ifndef CULPRIT_TOOLS_VALUES_H
#define CULPRIT_TOOLS_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check_format.h"

/* The types that checks on the GPU record. */
enum value_type {
	VALUE_GUESSED = CHECK_GUESS, /* not a type: guess it from the bytes */
	VALUE_F32 = CHECK_F32,
	VALUE_F64 = CHECK_F64,
	VALUE_F16 = CHECK_F16,
	VALUE_BF16 = CHECK_BF16,
	VALUE_I32 = CHECK_I32,
	VALUE_I64 = CHECK_I64,
	VALUE_U8 = CHECK_U8,
	VALUE_E4M3 = CHECK_E4M3, /* 8-bit floats */
	VALUE_E5M2 = CHECK_E5M2,
	N_VALUE_TYPES = N_CHECK_TYPES
};

struct value_summary {
	size_t n;
	size_t n_nan, n_infinite;
	size_t first_odd;      /* index of the first NaN or infinity, if there is any */
	double min, max, mean; /* of the finite values; 0 without any */
};

/* Return a type's name ("f32"), its size in bytes, and whether it is an integer type. */
const char *value_type_label(enum value_type type);
size_t value_type_size(enum value_type type);
bool value_type_is_integer(enum value_type type);

/*
 * Guess the type of the bytes: small integers, floats of usual magnitude, else bytes. The guess can
 * be wrong: half-precision values and small integers look alike.
 */
enum value_type values_guess(const unsigned char *bytes, size_t size);

/* Summarise the values. An incomplete value at the end is left out. `type` must be a real type. */
void values_summarise(enum value_type type, const unsigned char *bytes, size_t size,
		      struct value_summary *out);

/* Return the number of values that differ. */
size_t values_count_changed(enum value_type type, const unsigned char *before,
			    const unsigned char *after, size_t size);

#endif

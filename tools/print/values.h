/*
 * values.h - bytes as numbers: of which type they probably are, and what they come to.
 */
#ifndef CULPRIT_TOOLS_VALUES_H
#define CULPRIT_TOOLS_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_type {
	VALUE_GUESSED, /* not a type: by the bytes */
	VALUE_F32,
	VALUE_F64,
	VALUE_F16,
	VALUE_BF16,
	VALUE_I32,
	VALUE_I64,
	VALUE_U8,
	N_VALUE_TYPES
};

struct value_summary {
	size_t n;
	size_t n_nan, n_infinite;
	size_t first_odd;      /* index of the first of these, if there are any */
	double min, max, mean; /* of the others; 0 where there are none */
};

/* "f32". */
const char *value_type_word(enum value_type type);
size_t value_type_size(enum value_type type);
bool value_type_is_integer(enum value_type type);

/*
 * The type that such bytes would most likely be of: small integers, floats of usual sizes, else
 * bytes. A guess: half precision and small numbers look alike.
 */
enum value_type values_guess(const unsigned char *bytes, size_t size);

/* A rest that is no whole value is left out. */
void values_summarise(enum value_type type, const unsigned char *bytes, size_t size,
		      struct value_summary *out);

/* How many values differ. */
size_t values_count_changed(enum value_type type, const unsigned char *before,
			    const unsigned char *after, size_t size);

#endif

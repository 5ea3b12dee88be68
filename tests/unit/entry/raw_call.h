/*
 * raw_call.h - call any function of the driver's interface with more integers, floating-point
 * numbers and stack words than it takes.
 */
#ifndef CULPRIT_TESTS_RAW_CALL_H
#define CULPRIT_TESTS_RAW_CALL_H

#include <stdint.h>

#include "base/cuda_api.h"

/* The arguments of a call: no function has more than 15 parameters. */
enum { N_WORDS = 24, N_NUMBERS = 8 };

struct raw_words {
	uint64_t word[N_WORDS]; /* the first 6 (aarch64: 8) in registers, the rest on the stack */
	double number[N_NUMBERS];
};

/* Every byte of the words is made of FIRST and, where STEP is not 0, differs from word to word. */
struct raw_words raw_call_words(uint8_t first, uint8_t step);

/* Call the function and return its result. */
CUresult raw_call(const void *function, const struct raw_words *words);

#endif

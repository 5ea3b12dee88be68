/*
 * any_code.h - the GPU's code in a random bundle.
 */
#ifndef CULPRIT_TESTS_ANY_CODE_H
#define CULPRIT_TESTS_ANY_CODE_H

#include <stddef.h>

#include "model/any_state.h"

enum { ANY_CODE_SAMPLES = 9 };

/* Read a sample of the folder. Return its size, which is below `size`. */
size_t any_code_read(uint32_t sample, const char *folder, unsigned char *out, size_t size);

/* Copy a sample to the working directory. */
#define ANY_CODE_FILE "kernels.cubin"
void any_code_write(uint32_t sample, const char *folder);

/* Give functions the names and images of a sample in this folder: tests/fixtures/code. */
void any_code_add(struct any_bundle *any, uint32_t sample, const char *folder);

/* Let launches be what the sample core dump "load" shows, more or less. */
void any_code_match_load(struct any_bundle *any);

#endif

/*
 * number_names.h - C++ types that are numbers, as mangled names have them.
 */
#ifndef CULPRIT_CHECKS_NUMBER_NAMES_H
#define CULPRIT_CHECKS_NUMBER_NAMES_H

#include <stddef.h>

#include "base/check_format.h"

/* Return the type of a class's name without its namespace: CUDA's, PyTorch's, CUTLASS's.
 * CHECK_GUESS: it is no number. Any thread. */
enum check_type number_names_class(const char *name, size_t length);

/* Return the type of a letter for a builtin type. CHECK_GUESS: bytes, or no number. Any thread. */
enum check_type number_names_builtin(char letter);

#endif

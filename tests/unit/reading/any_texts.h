/*
 * any_texts.h - texts that no command prints for a bundle: those that `culprit run` and the library
 * make while the process runs.
 */
#ifndef CULPRIT_TESTS_ANY_TEXTS_H
#define CULPRIT_TESTS_ANY_TEXTS_H

#include <stdint.h>

/* Print these texts of the bundle, and write its finding again. Return 0. */
int any_texts_print(const char *bundle);

/* Print the types of numbers in random mangled names. Return 0. */
int any_types_print(uint64_t number);

#endif

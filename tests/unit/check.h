/*
 * check.h - checks for unit tests: a failed one names its line and ends the program with status 1.
 */
#ifndef CULPRIT_TESTS_CHECK_H
#define CULPRIT_TESTS_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                          \
	do {                                                                                      \
		if (!(condition)) {                                                               \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                                  \
		}                                                                                 \
	} while (0)

#define CHECK_EQUAL(got, wanted)                                                                 \
	do {                                                                                     \
		int64_t got_ = (int64_t)(got);                                                   \
		int64_t wanted_ = (int64_t)(wanted);                                             \
		if (got_ != wanted_) {                                                           \
			fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", __FILE__, \
				__LINE__, #got, got_, wanted_);                                  \
			exit(1);                                                                 \
		}                                                                                \
	} while (0)

#define CHECK_STRING(got, wanted)                                                                \
	do {                                                                                     \
		const char *got_ = (got);                                                        \
		if (strcmp(got_, (wanted)) != 0) {                                               \
			fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, \
				#got, got_, (wanted));                                           \
			exit(1);                                                                 \
		}                                                                                \
	} while (0)

#endif

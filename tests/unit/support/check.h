/*
 * check.h - checks for unit tests: a failed one names its line and ends the program with status 1.
 */
#ifndef CULPRIT_TESTS_CHECK_H
#define CULPRIT_TESTS_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(got, wanted) \
	check_equal((int64_t)(got), (int64_t)(wanted), #got, __FILE__, __LINE__)
#define CHECK_STRING(got, wanted) check_string((got), (wanted), #got, __FILE__, __LINE__)

/* Called by the macros; `what` is the checked expression. */
void check_that(bool is_true, const char *what, const char *file, int line);
void check_equal(int64_t got, int64_t wanted, const char *what, const char *file, int line);
void check_string(const char *got, const char *wanted, const char *what, const char *file,
		  int line);

/* Run a test in a process of its own: for code that does something once in a process. */
void check_in_child(void (*test)(void));

/*
 * A text of what the code under test called, so that a test compares all of it at once: append to
 * it, or return what was appended since the last trace_take(). Valid until the next trace_add().
 */
void trace_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *trace_take(void);
#define CHECK_TRACE(wanted) CHECK_STRING(trace_take(), wanted)

#ifdef __cplusplus
}
#endif

#endif

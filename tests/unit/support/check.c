/*
 * check.c - ends the test at its first failed check.
 */
#include "support/check.h"

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((format(printf, 3, 4))) static void fail(const char *file, int line,
						       const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	(void)fprintf(stderr, "%s:%d: ", file, line);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void)fflush(NULL);
	_Exit(1);
}

void check_that(bool is_true, const char *what, const char *file, int line)
{
	if (!is_true)
		fail(file, line, "not true: %s\n", what);
}

void check_equal(int64_t got, int64_t wanted, const char *what, const char *file, int line)
{
	if (got != wanted)
		fail(file, line, "%s is %" PRId64 ", not %" PRId64 "\n", what, got, wanted);
}

void check_string(const char *got, const char *wanted, const char *what, const char *file, int line)
{
	if (strcmp(got, wanted) != 0)
		fail(file, line, "%s is \"%s\", not \"%s\"\n", what, got, wanted);
}

void check_in_child(void (*test)(void))
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		test();
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(status, 0);
}

static char trace[1 << 18];
static size_t trace_length;

void trace_add(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	size_t room = sizeof(trace) - trace_length;
	int n = vsnprintf(trace + trace_length, room, format, arguments);
	va_end(arguments);
	CHECK(n >= 0 && (size_t)n < room);
	trace_length += (size_t)n;
}

const char *trace_take(void)
{
	trace[trace_length] = 0;
	trace_length = 0;
	return trace;
}

/*
 * warning.c - bounded, unbuffered writing to stderr.
 */
#include "warning.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_WARNINGS = 8 };

static bool is_silent;      /* written at start only */
static unsigned n_warnings; /* atomic */

void warning_silence(void)
{
	is_silent = true;
}

void warning_write(const char *bytes, size_t size)
{
	while (!is_silent && size > 0) {
		ssize_t n = write(STDERR_FILENO, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		size -= (size_t)n;
	}
}

void warning_print(const char *format, ...)
{
	char line[512] = "culprit: ";
	const size_t prefix = sizeof("culprit: ") - 1;
	if (__atomic_fetch_add(&n_warnings, 1, __ATOMIC_RELAXED) >= MAX_WARNINGS)
		return;
	va_list values;
	va_start(values, format);
	int length = vsnprintf(line + prefix, sizeof(line) - prefix - 1, format, values);
	va_end(values);
	if (length < 0)
		return;
	size_t end = prefix + (size_t)length;
	if (end > sizeof(line) - 2)
		end = sizeof(line) - 2;
	line[end] = '\n';
	warning_write(line, end + 1);
}

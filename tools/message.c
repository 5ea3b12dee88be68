/*
 * message.c - lines on standard error.
 */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { LINE_SIZE = 8192 };

static const char *speaker;

void message_set_command(const char *name)
{
	speaker = name;
}

void message(const char *format, ...)
{
	char given[LINE_SIZE];
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(given, sizeof(given), format, arguments);
	va_end(arguments);
	/* Paths and option values are the words of others. */
	text_add_foreign(&text, given, strlen(given));
	fprintf(stderr, "culprit%s%s: %s\n", speaker ? " " : "", speaker ? speaker : "", line);
}

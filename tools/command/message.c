/*
 * message.c - lines on standard error.
 */
#include "command/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/own_line.h"
#include "base/text.h"
#include "command/patience.h"

enum { LINE_SIZE = 8192 };

static const char *speaker;
static bool is_mute;

void message_set_command(const char *name)
{
	speaker = name;
}

void message_mute(bool is_muted)
{
	is_mute = is_muted;
}

void message(const char *format, ...)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	if (is_mute)
		return;
	va_list arguments;
	va_start(arguments, format);
	char given[LINE_SIZE];
	vsnprintf(given, sizeof(given), format, arguments);
	va_end(arguments);
	/* Paths and option values are untrusted. */
	text_add_foreign(&text, given, strlen(given));
	patience_hide();
	fprintf(stderr, "culprit%s%s: %s\n", speaker ? " " : "", speaker ? speaker : "", line);
}

void message_end_line(void)
{
	if (own_line_is_needed(STDERR_FILENO))
		fputc('\n', stderr);
}

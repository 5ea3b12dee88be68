/*
 * patience.c - prints a line that fits any terminal: long names lose their beginning.
 */
#include "command/patience.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command/monotonic.h"

enum { LINE_SIZE = 256, MAX_NAME = 48 };

static struct {
	long long begin_ms; /* 0: not started */
	bool is_shown;
} patience;

static void write_line(const char *what, const char *name)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	size_t length = strlen(name);
	text_addf(&text, "\r\033[Kculprit: %s ", what);
	if (length > MAX_NAME)
		text_add(&text, "\xe2\x80\xa6");
	text_add_foreign(&text, name + (length > MAX_NAME ? length - MAX_NAME : 0),
			 length > MAX_NAME ? MAX_NAME : length);
	text_add(&text, " ...");
	fputs(line, stderr);
	fflush(stderr);
}

void patience_print(const char *what, const char *name)
{
	long long now = monotonic_ms();
	if (!patience.begin_ms)
		patience.begin_ms = now;
	if (now - patience.begin_ms < PATIENCE_MS || !isatty(STDERR_FILENO))
		return;
	patience.is_shown = true;
	write_line(what, name);
}

void patience_hide(void)
{
	if (!patience.is_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	patience.is_shown = false;
}

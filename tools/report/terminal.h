/*
 * terminal.h - a report's text as a terminal shows it best: coloured where that is wanted, and no
 * wider than it is. Elsewhere it stays as it is.
 */
#ifndef CULPRIT_TOOLS_TERMINAL_H
#define CULPRIT_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As in commands.def: auto|always|never. */
enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

struct terminal {
	bool is_colored;
	size_t columns; /* 0: there is no edge */
};

/*
 * What is behind `fd`. "auto" colours a terminal, unless NO_COLOR is set to anything or TERM is
 * "dumb".
 */
struct terminal terminal_of(int fd, enum terminal_color wanted);

/* Prints reports, as report_text() makes them. Trouble shows in the stream. */
void terminal_print(const struct terminal *terminal, const char *text, size_t size, FILE *out);

#endif

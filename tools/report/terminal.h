/*
 * terminal.h - fits a report's text to a terminal: in colour if wanted, and no wider than the
 * terminal. Output to other files is unchanged.
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
	bool is_ascii;  /* the locale has no UTF-8 */
	size_t columns; /* 0: not limited */
};

/*
 * Returns the properties of the terminal at `fd`. "auto" colours a terminal, unless NO_COLOR is set
 * to anything or TERM is "dumb".
 */
struct terminal terminal_of(int fd, enum terminal_color wanted);

/* Prints reports as made by report_text(). Errors are left in the stream (ferror()). */
void terminal_print(const struct terminal *terminal, const char *text, size_t size, FILE *out);

#endif

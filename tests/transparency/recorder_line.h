/*
 * recorder_line.h - the lines of the log, and the names of the threads in them.
 */
#ifndef CULPRIT_TRANSPARENCY_RECORDER_LINE_H
#define CULPRIT_TRANSPARENCY_RECORDER_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { RECORDER_LINE_SIZE = 1024 };

/* A line that is being built. Text that does not fit is cut. */
struct line {
	char text[RECORDER_LINE_SIZE];
	size_t length;
};

/* The type of value that an argument points to, if the value is the same in every run. */
enum out_kind {
	OUT_NONE,
	OUT_INT,
	OUT_UNSIGNED,
	OUT_SIZE,
	OUT_TEXT,
	OUT_TEXT_POINTER,
	OUT_HANDLE, /* only whether it is NULL */
};

/* True if there is a log. */
bool line_is_wanted(void);

/* Start a line with the thread's name. Keeps errno. Any thread. */
void line_begin(struct line *line);
/* Add text; a newline in it becomes a bar. */
__attribute__((format(printf, 2, 3))) void line_add(struct line *line, const char *format, ...);
/* ARGUMENT is the address of the argument itself: a pointer, unless the kind is OUT_NONE. */
void line_add_out(struct line *line, enum out_kind kind, const void *argument);
/*
 * Write the line with one write to a file opened for it, so that any thread may call this. Keeps
 * errno.
 */
void line_write(struct line *line);

/* True if the address is in the driver or in culprit, whose own calls are not the program's. */
bool is_inside(const void *address);

#endif

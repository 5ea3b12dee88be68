/*
 * recorder.h - the call recorder: a library that is preloaded in front of culprit, or of nothing,
 * and writes down each driver call as the program saw it. Two logs of a program that does the same
 * twice are equal, whatever the addresses and process ids.
 *
 * A line of the log is "THREAD CALL RESULT OUT...": the thread by its place in the tree of threads
 * (main, main.1 is the first that it started), the exported name, and the numbers and texts that a
 * successful call gave back. Lines of one thread are in order. $RECORDER_LOG is the folder of the
 * logs, one file for each process, named by its id; without it nothing is written.
 */
#ifndef CULPRIT_TRANSPARENCY_RECORDER_H
#define CULPRIT_TRANSPARENCY_RECORDER_H

#include "driver_calls.h"
#include <stdbool.h>
#include <stddef.h>

enum { RECORDER_LINE_SIZE = 1024 };

/* One line while it is put together. What does not fit is cut off. */
struct line {
	char text[RECORDER_LINE_SIZE];
	size_t length;
};

/* What an argument points to, as far as it is the same in every run. */
enum out_kind {
	OUT_NONE,
	OUT_INT,
	OUT_UNSIGNED,
	OUT_SIZE,
	OUT_TEXT,
	OUT_TEXT_POINTER,
	OUT_HANDLE, /* only whether it is NULL */
};

/* Begins a line with the thread's name. Keeps errno. Any thread. */
void line_begin(struct line *line);
/* A newline in what is added becomes a bar. */
__attribute__((format(printf, 2, 3))) void line_add(struct line *line, const char *format, ...);
/* ARGUMENT is the address of the argument itself: a pointer, unless the kind is OUT_NONE. */
void line_add_out(struct line *line, enum out_kind kind, const void *argument);
/* Writes the line with one write of its own file: it may come from any thread. Keeps errno. */
void line_write(struct line *line);

/* The process at its exit: descriptors, environment, signals and so on, one line each. */
void state_write(void);

/*
 * Our function for the call whose next function lies at ADDRESS, and its name; NULL and untouched
 * for every other address. Any thread.
 */
const void *recorder_wrapper(const void *address, const char **out_name);

/* Is this address in the driver or in culprit, whose own calls are not the program's? */
bool is_inside(const void *address);

#endif

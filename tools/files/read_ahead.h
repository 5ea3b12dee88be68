/*
 * read_ahead.h - lets the system read files of many folders at once, before they are needed one by
 * one. On a cold disk or over a network, waiting for each file is most of the time.
 */
#ifndef CULPRIT_TOOLS_READ_AHEAD_H
#define CULPRIT_TOOLS_READ_AHEAD_H

#include <stddef.h>

struct read_ahead;

/*
 * Start threads that go through the folders, which must not change until the end. `names` is a
 * NULL-terminated list of files to read in each folder; NULL: all. Large files are left out. Return
 * NULL if there are too few folders, or if the system refuses; all is read when needed then.
 */
struct read_ahead *read_ahead_begin(char *const *folders, size_t n, const char *const *names);

/* Tell that the folder with this index is needed now. The threads stay a little ahead of it. */
void read_ahead_reach(struct read_ahead *ahead, size_t index);

/* Wait for the threads. NULL is allowed here and above. */
void read_ahead_end(struct read_ahead *ahead);

#endif

/*
 * hang_dump.h - a GPU core dump of a process that hangs, before it is ended. The driver makes one
 * when a byte is written into a pipe that it has made for the process: which it does only if the
 * environment asked for it from the start. Nothing in the process is asked.
 */
#ifndef CULPRIT_TOOLS_HANG_DUMP_H
#define CULPRIT_TOOLS_HANG_DUMP_H

#include <stdbool.h>
#include <stddef.h>

struct hang_dump {
	char directory[256]; /* of the pipes; "": dumps were not prepared for */
};

/*
 * Sets the environment of a command that is to be started, unless the user has settings of core
 * dumps there. 0 or -errno.
 */
int hang_dump_prepare(struct hang_dump *out);
void hang_dump_end(struct hang_dump *dump);

/*
 * Has the process dump what its GPU does, as hung.nvcudmp of its bundle, and waits for it: seconds,
 * at most half a minute. False: there is none, or not a whole one.
 */
bool hang_dump_take(const struct hang_dump *dump, long pid, const char *bundle);

#endif

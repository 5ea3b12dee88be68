/*
 * hang_dump.h - make a GPU core dump of a hung process before it is killed.
 *
 * The driver creates a pipe for the process and dumps the GPU when a byte is written to it. It does
 * so only if the environment asked for it when the process started. No code of the process runs.
 */
#ifndef CULPRIT_TOOLS_HANG_DUMP_H
#define CULPRIT_TOOLS_HANG_DUMP_H

#include <stdbool.h>

struct hang_dump {
	char directory[256]; /* holds the pipes; "": dumps were not prepared */
};

/*
 * Set environment variables for a command that is started later, unless the user has set some for
 * core dumps. Return 0 or -errno.
 */
int hang_dump_prepare(struct hang_dump *out);

/* Remove the directory of the pipes. */
void hang_dump_end(struct hang_dump *dump);

/*
 * Dump the state of the process's GPU to hung.nvcudmp in its bundle, and wait for it to be written:
 * some seconds, at most 30. Return false if there is no dump, or only a part of it.
 */
bool hang_dump_take(const struct hang_dump *dump, long pid, const char *bundle);

#endif

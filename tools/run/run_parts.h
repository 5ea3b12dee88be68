/*
 * run_parts.h - smaller parts of `culprit run`. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_RUN_PARTS_H
#define CULPRIT_TOOLS_RUN_PARTS_H

#include <stdbool.h>

#include "ci/ci.h"
#include "command/options.h"

/*
 * command_kind.c: whether the library can be loaded into a command, judged by the command's file.
 */

enum command_kind {
	COMMAND_LOADS,     /* as far as we know */
	COMMAND_IS_STATIC, /* static: it has no loader */
	COMMAND_IS_32_BIT, /* its loader skips the library, with a message */
	COMMAND_IS_MUSL,   /* its loader would try and then exit: the library is for glibc */
	N_COMMAND_KINDS
};

/* Returns the kind of the file that exec would find by this name, or of a script's interpreter. */
enum command_kind command_kind(const char *command);

/* Returns one phrase: why the command itself cannot be recorded. NULL for COMMAND_LOADS. */
const char *command_kind_text(enum command_kind kind);

/* journal_move.c: copies and removes the files that culprit makes in a directory. */

/*
 * Copies the journal from one directory to the other, sparse, with the verdict if there is one.
 * With `is_all`, also copies meta.json and other texts. Returns 0, or -errno of the first file that
 * could not be copied.
 */
int journal_copy_files(int from_fd, int to_fd, bool is_all);

/* Removes all files that culprit makes, including the driver's core dump of a bundle. */
void journal_remove_files(int directory_fd);

/*
 * Writes the files for a build server that the options name, even for a run without a failure.
 * Prints a line for each file that could not be written. Annotations go to standard error, unless
 * `is_quiet`. Frees the findings.
 */
void run_views_write(const struct arguments *arguments, struct ci_findings *findings,
		     bool is_quiet);

#endif

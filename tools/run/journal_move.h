/*
 * journal_move.h - copies and removes the files that culprit makes in a directory.
 */
#ifndef CULPRIT_TOOLS_JOURNAL_MOVE_H
#define CULPRIT_TOOLS_JOURNAL_MOVE_H

#include <stdbool.h>

/*
 * Copies the journal from one directory to the other, sparse, with the verdict if there is one.
 * With `is_all`, also copies meta.json and other texts. Returns 0, or -errno of the first file that
 * could not be copied.
 */
int journal_copy_files(int from_fd, int to_fd, bool is_all);

/* Removes all files that culprit makes, including the driver's core dump of a bundle. */
void journal_remove_files(int directory_fd);

#endif

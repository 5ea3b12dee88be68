/*
 * journal_move.h - copies and removes the files that culprit makes in a directory.
 */
#ifndef CULPRIT_TOOLS_JOURNAL_MOVE_H
#define CULPRIT_TOOLS_JOURNAL_MOVE_H

#include <stdbool.h>

/*
 * Copies the journal from one directory to the other, sparse, and the verdict if there is one;
 * with `is_all` meta.json and further texts too. 0, or -errno of the first file that could not be
 * copied.
 */
int journal_copy_files(int from_fd, int to_fd, bool is_all);

/* Removes all files that culprit makes, and of a bundle the driver's core dump. */
void journal_remove_files(int directory_fd);

#endif

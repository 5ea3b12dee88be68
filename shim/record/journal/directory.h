/*
 * directory.h - a directory of ours, the files in it, and its end. What is written there, and where
 * it lies, are other files' work.
 *
 * A directory is written by the thread that makes it, before another one asks.
 */
#ifndef CULPRIT_RECORD_DIRECTORY_H
#define CULPRIT_RECORD_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct directory {
	char path[PATH_MAX];    /* absolute; "": there is none */
	bool is_removed;        /* atomic: from then on there is none */
	char renamed[PATH_MAX]; /* of who removes it: a thread that exits may have a small stack */
};

/* Its path; "": there is none. Any thread. */
const char *directory_path(const struct directory *directory);

/* The path of a file in it, in the arena; NULL: there is no directory, or no memory. Any thread. */
const char *directory_file(const struct directory *directory, const char *name);

/* Writes a file in one go, mode 0600. 0 or -errno; the old text may then be there. Any thread. */
int directory_write(const struct directory *directory, const char *name, const char *bytes,
		    size_t size);

/*
 * Ends it: `unlink_files` removes what is in the directory of the given path with the next
 * function, as often as files come into it meanwhile. Any thread.
 */
void directory_remove(struct directory *directory, void (*unlink_files)(const char *path));
void directory_unlink(const char *path, const char *name);

#endif

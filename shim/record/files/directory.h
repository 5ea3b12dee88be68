/*
 * directory.h - a directory of ours, the files in it, and its end. What is written there, and where
 * it lies, are other files' work.
 *
 * Others may be able to rename things where it lies. So it is known by its inode: each use opens it
 * anew, since no descriptor is kept, makes sure that it is the one that was made, and goes on by
 * that descriptor.
 *
 * A directory is written by the thread that makes it, before another one asks.
 */
#ifndef CULPRIT_RECORD_DIRECTORY_H
#define CULPRIT_RECORD_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct directory {
	char path[PATH_MAX]; /* absolute; "": there is none */
	dev_t device;        /* of what was made there */
	ino_t inode;
	bool is_removed;        /* atomic: from then on there is none */
	char renamed[PATH_MAX]; /* of who removes it: a thread that exits may have a small stack */
};

/* Makes it where `path` says, mode 0700. 0 or -errno: -EEXIST if the name is taken. Once. */
int directory_make(struct directory *directory);

/*
 * Opens it. A descriptor to close, or -errno: -ENOENT if there is none, -ESTALE if something else
 * has its name now. Any thread.
 */
int directory_open(const struct directory *directory);

/* Its path; "": there is none. Any thread. */
const char *directory_path(const struct directory *directory);

/* The path of a file in it, in the arena; NULL: there is no directory, or no memory. Any thread. */
const char *directory_file(const struct directory *directory, const char *name);

/*
 * Opens a file of an open directory for writing, mode 0600; its old text stays until it is
 * overwritten. A descriptor, or -errno. Any thread.
 */
int directory_open_file(int directory_fd, const char *name);

/* Writes a file in one go. 0 or -errno; the old text may then be there. Any thread. */
int directory_write(int directory_fd, const char *name, const char *bytes, size_t size);

/*
 * Ends it: `unlink_files` removes what is in the open directory, as often as files come into it
 * meanwhile. Any thread.
 */
void directory_remove(struct directory *directory, void (*unlink_files)(int directory_fd));

#endif

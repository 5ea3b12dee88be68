/*
 * directory.h - make, open and remove a directory of ours and its files. Other files decide what is
 * written there, and where.
 *
 * Other users may be able to rename things in its parent, so the directory is identified by its
 * inode. No descriptor is kept. Each use opens the directory anew, checks that it is the one that
 * was made, and works through that descriptor.
 *
 * A directory is written by the thread that makes it, before other threads ask.
 */
#ifndef CULPRIT_RECORD_DIRECTORY_H
#define CULPRIT_RECORD_DIRECTORY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct directory {
	char path[PATH_MAX]; /* absolute; "" if there is none */
	dev_t device;        /* of the directory as it was made */
	ino_t inode;
	bool is_removed;        /* atomic: once set, there is no directory */
	char renamed[PATH_MAX]; /* for the remover: a thread that exits may have a small stack */
};

/* Make it at `path`, mode 0700. Return 0 or -errno; -EEXIST if the name is taken. Once. */
int directory_make(struct directory *directory);

/*
 * Open it. Return a descriptor to close, or -errno: -ENOENT if there is none, -ESTALE if something
 * else has its name now. Any thread.
 */
int directory_open(const struct directory *directory);

/* Return its path, "" if there is none. Any thread. */
const char *directory_path(const struct directory *directory);

/* Return the path, in the arena, of a file in it; NULL without directory or memory. Any thread. */
const char *directory_file(const struct directory *directory, const char *name);

/*
 * Open a file of an open directory for writing, mode 0600; old text stays until it is overwritten.
 * Return a descriptor or -errno. Any thread.
 */
int directory_open_file(int directory_fd, const char *name);

/* Write a file in one go. Return 0 or -errno; on failure old text may remain. Any thread. */
int directory_write(int directory_fd, const char *name, const char *bytes, size_t size);

/* Write a file that does not exist yet. Return 0 or -errno; -EEXIST if it exists. Any thread. */
int directory_write_new(int directory_fd, const char *name, const char *bytes, size_t size);

/*
 * Remove it. `unlink_files` removes the files of the open directory; it is called again if new
 * files appear. Any thread.
 */
void directory_remove(struct directory *directory, void (*unlink_files)(int directory_fd));

#endif

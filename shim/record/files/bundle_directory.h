/*
 * bundle_directory.h - the directories of a bundle and of its journal. While the process records,
 * the journal is in a directory in memory, since mapping a file of CULPRIT_DIR would be risky: a
 * full disk, another program's truncate or a dead file server would kill the host.
 *
 * A function that touches the disk may block for ever; it is marked "for aside_do()" and runs one
 * at a time. The directory in memory is a static, written by its maker before other threads ask.
 */
#ifndef CULPRIT_RECORD_BUNDLE_DIRECTORY_H
#define CULPRIT_RECORD_BUNDLE_DIRECTORY_H

#include <stddef.h>

/* Make the directory in memory. Return 0, or -errno if there is none. Once, before the others. */
int bundle_memory_make(void);

/*
 * Choose the bundle's name, "PARENT/culprit-PROGRAM[-rankN]-PID", without touching the disk. Once,
 * before the functions below.
 */
void bundle_directory_name(const char *parent);

/*
 * Make the bundle's directory with mode 0700, and record in it which memory directory belongs to
 * it. If the name is taken, append -TIME or -TIME-N. Return 0, or -errno if there is no directory.
 * Does nothing if it exists; makes it once more if it was removed. For aside_do().
 */
int bundle_directory_make(void);

/*
 * Open the bundle's directory. Return a descriptor to close, or -errno: -ENOENT if there is none,
 * -ESTALE if something else has taken its place. For aside_do().
 */
int bundle_directory_open(void);

/*
 * Remove the directories. `unlink_files` removes the files of an open directory; it is called again
 * if new files appear. The first function: for aside_do().
 */
void bundle_directory_remove(void (*unlink_files)(int directory_fd));
void bundle_memory_remove(void (*unlink_files)(int directory_fd));

/* Return the bundle's absolute path, "" before it is made or after it is removed. Any thread. */
const char *bundle_path(void);

/* Return the same path; before the bundle is made, the path that it is to get. */
const char *bundle_wanted_path(void);

/* Return the absolute path of the directory in memory, "" if there is none. Any thread. */
const char *bundle_memory_path(void);

/*
 * Return the path of a journal file in memory, allocated in the arena; NULL if there is no
 * directory or no room. Any thread.
 */
const char *bundle_memory_file(const char *name);

/* Write a file next to the journal in memory in one go. Any thread. */
void bundle_memory_write(const char *name, const char *bytes, size_t size);

#endif

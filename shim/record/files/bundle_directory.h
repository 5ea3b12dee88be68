/*
 * bundle_directory.h - where a bundle lies, and where its journal does while the process records:
 * in a directory in memory, since a file of CULPRIT_DIR cannot be mapped without risk. A full disk,
 * another's truncate or a dead file server would be the host's death there.
 *
 * What touches the disk may wait for it for ever, so it is "for aside_do()", one at a time. The
 * directory in memory is a static, written by the thread that makes it, before another one asks.
 */
#ifndef CULPRIT_RECORD_BUNDLE_DIRECTORY_H
#define CULPRIT_RECORD_BUNDLE_DIRECTORY_H

#include <stddef.h>

/* Makes the directory in memory. 0, or -errno: there is none then. Once, before the next. */
int bundle_memory_make(void);

/*
 * Finds out what the bundle is to be called, "PARENT/culprit-PROGRAM[-rankN]-PID", without touching
 * the disk. Once, before the next.
 */
void bundle_directory_name(const char *parent);

/*
 * Makes the bundle's directory with mode 0700, and says in it where the memory is, and whose. If
 * the name is taken -TIME or -TIME-N follows it. 0, or -errno: there is none then. Nothing to do if
 * it was made; once more if it was removed since. For aside_do().
 */
int bundle_directory_make(void);

/*
 * Opens the bundle's directory: a descriptor to close, or -errno: -ENOENT if there is none, -ESTALE
 * if somebody has put something else in its place. For aside_do().
 */
int bundle_directory_open(void);

/*
 * They end: `unlink_files` removes what is in an open directory, as often as files come into it
 * meanwhile. The first one: for aside_do().
 */
void bundle_directory_remove(void (*unlink_files)(int directory_fd));
void bundle_memory_remove(void (*unlink_files)(int directory_fd));

/* The bundle's absolute path; "": there is none yet, or any more. Any thread. */
const char *bundle_path(void);

/* The same, but before it was made the path that it is to get. */
const char *bundle_wanted_path(void);

/* The absolute path of the directory in memory; "": there is none. Any thread. */
const char *bundle_memory_path(void);

/* The path of a journal file in memory, in the arena; NULL: there is none, or no room. Any thread.
 */
const char *bundle_memory_file(const char *name);

/* Writes a file beside the journal in memory in one go. Any thread. */
void bundle_memory_write(const char *name, const char *bytes, size_t size);

#endif

/*
 * bundle_directory.h - where a bundle lies, and where its journal does while the process records:
 * in a directory in memory, since a file of CULPRIT_DIR cannot be mapped without risk. A full disk,
 * another's truncate or a dead file server would be the host's death there.
 *
 * The two directories are statics, written by the thread that makes them, before another one asks.
 */
#ifndef CULPRIT_RECORD_BUNDLE_DIRECTORY_H
#define CULPRIT_RECORD_BUNDLE_DIRECTORY_H

#include <stddef.h>

/*
 * Makes "PARENT/culprit-PROGRAM[-rankN]-PID[-TIME[-N]]" with mode 0700. 0, or -errno: there is none
 * then. Once.
 */
int bundle_directory_make(const char *parent);

/* Makes the one in memory. 0, or -errno: there is none then. Once, before the next. */
int bundle_memory_make(void);

/* Says in the bundle where the memory is, and whose. Trouble leaves it unsaid. Once. */
void bundle_directory_tell_memory(void);

/*
 * They end: `unlink_files` removes what is in the directory of the given path with
 * directory_unlink(), as often as files come into it meanwhile. Any thread.
 */
void bundle_directory_remove(void (*unlink_files)(const char *path));
void bundle_memory_remove(void (*unlink_files)(const char *path));

/*
 * Makes the bundle's directory again, under a free name, if it was removed. 0, or -errno. By one
 * thread, once.
 */
int bundle_directory_restore(const char *parent);

/* The bundle's absolute path; "": there is none. Any thread. */
const char *bundle_path(void);

/* The same of the directory in memory. Any thread. */
const char *bundle_memory_path(void);

/* The path of a journal file in memory, in the arena; NULL: there is none, or no room. Any thread.
 */
const char *bundle_memory_file(const char *name);

/*
 * Writes a file of text (meta.json, verdict.txt) in one go, into the bundle and beside the journal
 * in memory. 0, or -errno of the bundle's. Any thread.
 */
int bundle_write_file(const char *name, const char *bytes, size_t size);

#endif

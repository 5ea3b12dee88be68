/*
 * live_memory.h - the journal of a process that still records, or was killed while it recorded. It
 * is in memory, in a directory that the bundle names.
 */
#ifndef CULPRIT_TOOLS_LIVE_MEMORY_H
#define CULPRIT_TOOLS_LIVE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bundle_names.h"

/* Gets the name in the bundle's link "live". Returns 0, or -ENOENT if there is no valid name. */
int live_memory_name(int bundle_fd, char out_name[BUNDLE_MEMORY_NAME_MAX]);

/*
 * Opens the directory of that name, which must belong to the user `uid`. Returns a descriptor, or
 * -errno: -ENOENT if it does not exist any more, -EPERM if it belongs to another user.
 */
int live_memory_open(const char *name, unsigned uid);

/* True if it belongs to the process with this ID in our PID namespace, running or not. */
bool live_memory_is_of(const char *name, int pid);

/*
 * True if its process has exited. False if this is not known, because the process is in another PID
 * namespace (another container).
 */
bool live_memory_is_left(const char *name);

/*
 * Return the same as live_memory_is_left(). If the process is dying, as after SIGKILL, first wait
 * for its end until `until_ns` (CLOCK_MONOTONIC): to close a GPU takes up to seconds.
 */
bool live_memory_await_left(const char *name, uint64_t until_ns);

/* True if any process that has exited left its directory in memory. */
bool live_memory_any_is_left(void);

/*
 * Returns the directory of this user's process `pid`, an ID in the process's own namespace: a path
 * that the caller frees, or NULL if the process records nothing or its directory is not found.
 */
char *live_memory_of(int pid);

#endif

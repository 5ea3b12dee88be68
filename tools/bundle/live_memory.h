/*
 * live_memory.h - the journal of a process that records, or was killed while it did: it lies in
 * memory, in a directory that its bundle names.
 */
#ifndef CULPRIT_TOOLS_LIVE_MEMORY_H
#define CULPRIT_TOOLS_LIVE_MEMORY_H

#include <stdbool.h>

#include "base/bundle_names.h"

/* The name that the bundle's link "live" gives. 0, or -ENOENT: it gives none that can be one. */
int live_memory_name(int bundle_fd, char out_name[BUNDLE_MEMORY_NAME_MAX]);

/*
 * Opens the directory of that name, which must be of the owner `uid`. A descriptor, or -errno:
 * -ENOENT where there is none any more, -EPERM where it is somebody else's.
 */
int live_memory_open(const char *name, unsigned uid);

/* Is it that of the process with this number, as numbers are counted here, running or ended? */
bool live_memory_is_of(const char *name, int pid);

/*
 * Has its process ended? Not known, and so false, of one that counts processes otherwise: it is in
 * another container.
 */
bool live_memory_is_left(const char *name);

/*
 * The directory of the process `pid` of this user, as it counts processes itself: a path that is
 * the caller's to free, or NULL: it records nothing, or nothing that can be found.
 */
char *live_memory_of(int pid);

#endif

/*
 * old_bundles.h - removes bundles of processes that have ended.
 */
#ifndef CULPRIT_TOOLS_OLD_BUNDLES_H
#define CULPRIT_TOOLS_OLD_BUNDLES_H

#include <stdint.h>

/*
 * Removes the oldest bundles of `directory` until the others take at most `max_bytes` on its disk,
 * and calls `tell` (NULL: nobody) with the path of each that it removed. One of a process that is
 * alive, or may be so in another container, is never removed, and neither is what is no bundle or
 * somebody else's. 0, or -errno: the directory cannot be read.
 */
int old_bundles_remove(const char *directory, uint64_t max_bytes, void (*tell)(const char *path));

#endif

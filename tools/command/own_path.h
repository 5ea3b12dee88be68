/*
 * own_path.h - where this program's file is.
 */
#ifndef CULPRIT_TOOLS_OWN_PATH_H
#define CULPRIT_TOOLS_OWN_PATH_H

/*
 * Returns the absolute path of this executable, with symbolic links resolved. Started by this path,
 * a process is called `culprit`; by "/proc/self/exe", which is returned if the path cannot be read,
 * it is called "exe". The string is static. Single-threaded.
 */
const char *own_path(void);

#endif

/*
 * preload.h - loads libculprit.so into a command: finds the library, and sets the environment that
 * loads it.
 */
#ifndef CULPRIT_TOOLS_PRELOAD_H
#define CULPRIT_TOOLS_PRELOAD_H

#include <stddef.h>

/*
 * Returns the absolute path of this executable, with symbolic links resolved. Started by this path,
 * a process is called `culprit`; by "/proc/self/exe", which is returned if the path cannot be read,
 * it is called "exe". The string is static. Single-threaded.
 */
const char *preload_own_path(void);

/*
 * Finds the absolute path of libculprit.so: $CULPRIT_LIBRARY, else in ../lib beside this
 * executable. Returns 0, or -errno after one line on standard error: the library is missing, or
 * LD_PRELOAD cannot hold its path.
 */
int preload_find_library(char *out_path, size_t capacity);

/*
 * Appends the library to LD_PRELOAD in this process's environment, for the commands that it starts.
 * Returns 0 or -ENOMEM.
 */
int preload_set_environment(const char *library);

/*
 * Makes copies of NVTX in the commands report their ranges to the library. If the variable for this
 * is already set, it stays: another tool gets the ranges, or none is wanted. Returns 0 or -ENOMEM.
 */
int preload_offer_nvtx(const char *library);

#endif

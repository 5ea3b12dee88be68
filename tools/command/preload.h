/*
 * preload.h - how libculprit.so gets into a command: where the library is, and the environment that
 * loads it.
 */
#ifndef CULPRIT_TOOLS_PRELOAD_H
#define CULPRIT_TOOLS_PRELOAD_H

#include <stddef.h>

/*
 * The absolute path of libculprit.so: $CULPRIT_LIBRARY, else in ../lib beside this executable. 0,
 * or -errno after one line on standard error: not there, or a path that LD_PRELOAD cannot hold.
 */
int preload_find_library(char *out_path, size_t capacity);

/*
 * Puts the library at the end of LD_PRELOAD in this process's environment, for the commands that
 * it starts; what was there stays in front of it. 0 or -ENOMEM.
 */
int preload_set_environment(const char *library);

/*
 * Lets copies of NVTX in the commands tell the library their ranges, unless the variable for it
 * is set already: then another tool is told, or none is to be. 0 or -ENOMEM.
 */
int preload_offer_nvtx(const char *library);

#endif

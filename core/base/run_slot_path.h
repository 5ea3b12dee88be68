/*
 * run_slot_path.h - finds the slot of a `culprit run` from the name in CULPRIT_RUN.
 */
#ifndef CULPRIT_BASE_RUN_SLOT_PATH_H
#define CULPRIT_BASE_RUN_SLOT_PATH_H

#include <stddef.h>

/*
 * Write the path by which another process can open the slot of run `run`. Returns 0, or -ENOENT if
 * there is no such run or the file there belongs to another one. Any thread.
 */
int run_slot_path(const char *run, char *out_path, size_t capacity);

/* Return the process ID of the `culprit run` that made run `run`, -1 if `run` is not a run's name.
 */
long run_slot_runner(const char *run);

#endif

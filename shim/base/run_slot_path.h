/*
 * run_slot_path.h - the way to the slot of a `culprit run`, from the name that CULPRIT_RUN gives
 * it.
 */
#ifndef CULPRIT_BASE_RUN_SLOT_PATH_H
#define CULPRIT_BASE_RUN_SLOT_PATH_H

#include <stddef.h>

/*
 * Where the slot of run `run` can be opened by another process. 0; -ENOENT: there is no such run,
 * or what is there is another's. Any thread.
 */
int run_slot_path(const char *run, char *out_path, size_t capacity);

#endif

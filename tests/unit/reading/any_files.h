/*
 * any_files.h - a random bundle as a directory: its journal, and the files beside it.
 */
#ifndef CULPRIT_TESTS_ANY_FILES_H
#define CULPRIT_TESTS_ANY_FILES_H

#include "model/any_state.h"

/*
 * Write into a directory of a new name. `dumps` is the folder of the sample core dumps. With
 * is_load, the bundle has the one of this name. Bundles of a job have the same launcher.
 */
void any_files_write(struct any_bundle *any, const char *directory, uint32_t rank, uint32_t job,
		     bool is_load, const char *dumps);

/* Write one of the sample core dumps, or a part of it, to a file. */
void any_dump_write(uint64_t number, const char *path, const char *dumps);

#endif

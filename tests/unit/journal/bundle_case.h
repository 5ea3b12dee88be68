/*
 * bundle_case.h - what is below a journal: directories, stores and the slot of `culprit run`.
 */
#ifndef CULPRIT_TESTS_BUNDLE_CASE_H
#define CULPRIT_TESTS_BUNDLE_CASE_H

#include <stdbool.h>

#include "base/settings.h"
#include "record/files/bundle_disk.h"

extern struct bundle_case {
	struct settings settings;
	const struct bundle_disk_files *files; /* the journal's */
	int memory_error, disk_error;          /* of making the directories */
	int file_error;                        /* of opening a file of memory */
	bool has_memory;
	bool is_quiet; /* opened tables and rings are not traced */
	unsigned n_views;
	unsigned char verdict[4096]; /* the store of its text */
} bundle_case;

#endif

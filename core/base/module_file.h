/*
 * module_file.h - which file a module was loaded from, for files without a build-id.
 */
#ifndef CULPRIT_BASE_MODULE_FILE_H
#define CULPRIT_BASE_MODULE_FILE_H

#include <sys/stat.h>

#include "base/journal_format.h"
#include "base/time_units.h"

/* Return the facts of a file that the journal keeps. */
static inline struct module_file module_file_of(const struct stat *status)
{
	uint64_t inode = status->st_ino;
	uint64_t mtime_ns =
		(uint64_t)status->st_mtim.tv_sec * NS_PER_S + (uint64_t)status->st_mtim.tv_nsec;
	return (struct module_file){
		.inode = {(uint32_t)inode, (uint32_t)(inode >> 32)},
		.mtime_ns = {(uint32_t)mtime_ns, (uint32_t)(mtime_ns >> 32)},
		.size = (uint32_t)status->st_size,
	};
}

#endif

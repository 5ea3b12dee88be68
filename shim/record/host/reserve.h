/*
 * reserve.h - maps more memory than may ever be touched. The host may have asked for all of its
 * later mappings to be locked (mlockall with MCL_FUTURE): ours are not, or all that they reserve
 * would become resident, and count against its RLIMIT_MEMLOCK.
 */
#ifndef CULPRIT_RECORD_RESERVE_H
#define CULPRIT_RECORD_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed private memory, whole pages; NULL and errno if there is none. Any thread. */
void *reserve_memory(size_t size);

/* The same in the place of pages that are mapped and were never touched. False: they are as before,
 * or can no longer be accessed. Any thread. */
bool reserve_memory_at(void *place, size_t size);

/* Shares the file of that descriptor, from its beginning and beyond its end. NULL and errno. Any
 * thread. */
void *reserve_file(int fd, size_t size);

#endif

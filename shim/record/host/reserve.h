/*
 * reserve.h - map more memory than may ever be touched. The host may have asked for all of its
 * later mappings to be locked (mlockall with MCL_FUTURE). Ours are unlocked, or all the reserved
 * memory would become resident and count against its RLIMIT_MEMLOCK.
 */
#ifndef CULPRIT_RECORD_RESERVE_H
#define CULPRIT_RECORD_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Return the size of a page of this process. Any thread, signal-safe. */
static inline size_t reserve_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Return zeroed private memory in whole pages; NULL with errno on failure. Any thread. */
void *reserve_memory(size_t size);

/*
 * Do the same over pages that are mapped but were never touched. On failure return false; the pages
 * are then unchanged or inaccessible. Any thread.
 */
bool reserve_memory_at(void *place, size_t size);

/* Map the fd's file shared, even beyond its end. NULL with errno on failure. Any thread. */
void *reserve_file(int fd, size_t size);

#endif

/*
 * mappings.h - read this process's memory map: every line, or only the mappings shared with
 * NVIDIA's driver.
 */
#ifndef CULPRIT_RECORD_MAPPINGS_H
#define CULPRIT_RECORD_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A longer line is only seen in part; that part may start anywhere in the line. */
enum { MAPPING_PIECE_SIZE = 4096 + 1 };

/*
 * Call `visit` for each line, without its newline, until it returns false. The caller provides
 * MAPPING_PIECE_SIZE bytes at `piece`: a host's thread may have a small stack. Return 0 or -errno.
 * Any thread.
 */
int mappings_walk(char *piece, bool (*visit)(char *line, void *argument), void *argument);

struct mapping {
	uintptr_t start, end;
};

/*
 * Find up to `max` readable and writable shared mappings of /dev/nvidiactl between min_size and
 * max_size bytes, in the order of their addresses. Return their number or -errno. Reads
 * /proc/self/maps once: half a millisecond in a process of PyTorch (492 mappings). Any thread, one
 * at a time.
 */
int mappings_of_device(size_t min_size, size_t max_size, struct mapping *out, int max);

#endif

/*
 * device_mappings.h - find the memory that this process shares with NVIDIA's driver.
 */
#ifndef CULPRIT_RECORD_DEVICE_MAPPINGS_H
#define CULPRIT_RECORD_DEVICE_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

struct mapping {
	uintptr_t start, end;
};

/*
 * Find up to `max` readable and writable shared mappings of /dev/nvidiactl between min_size and
 * max_size bytes, in the order of their addresses. Return their number or -errno. Reads
 * /proc/self/maps once: half a millisecond in a process of PyTorch (492 mappings). Any thread, one
 * at a time.
 */
int device_mappings(size_t min_size, size_t max_size, struct mapping *out, int max);

#endif

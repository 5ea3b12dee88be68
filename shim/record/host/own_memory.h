/*
 * own_memory.h - read memory of this process that may not be mapped, without a fault. The kernel
 * copies it through a pipe and returns EFAULT where a load would have killed the host. This works
 * for mappings of a device too, for which process_vm_readv and /proc/self/mem do not.
 */
#ifndef CULPRIT_RECORD_OWN_MEMORY_H
#define CULPRIT_RECORD_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limit of one read: as much as a pipe takes at once without blocking. */
enum { OWN_MEMORY_MAX = 4096 };

/*
 * A reader, open between the two calls below, one at a time in a thread. It holds two descriptors
 * and disables cancellation of the host's thread.
 */
struct own_memory {
	int ends[2];
	int cancellation;
};

/* Open returns 0 or -errno. Any thread. Signal-safe. */
int own_memory_open(struct own_memory *memory);
void own_memory_close(struct own_memory *memory);

/* Copy `size` bytes, at most OWN_MEMORY_MAX. Return false if any of them is not mapped. */
bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size);

/* Read one 64-bit word; return 0 if it is not mapped. */
uint64_t own_memory_word(struct own_memory *memory, uintptr_t address);

#endif

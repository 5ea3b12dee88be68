/*
 * own_memory.h - reading memory of this process that may not be there, without a fault: the kernel
 * copies it through a pipe and answers EFAULT where a load would have been the host's end. Works
 * for mappings of a device too, for which process_vm_readv and /proc/self/mem do not.
 */
#ifndef CULPRIT_RECORD_OWN_MEMORY_H
#define CULPRIT_RECORD_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than a pipe takes without waiting, at once, is not read. */
enum { OWN_MEMORY_MAX = 4096 };

/*
 * Open between the two calls below, one after the other in a thread: two descriptors of the host's,
 * and its cancellation held back.
 */
struct own_memory {
	int ends[2];
	int cancellation;
};

/* 0 or -errno. Any thread. Signal-safe. */
int own_memory_open(struct own_memory *memory);
void own_memory_close(struct own_memory *memory);

/* Copies `size` bytes, at most OWN_MEMORY_MAX. False: not all of them are there. */
bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size);

/* The same for one word; 0 where there is none. */
uint64_t own_memory_word(struct own_memory *memory, uintptr_t address);

#endif

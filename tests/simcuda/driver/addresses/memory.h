/*
 * memory.h - the memory ranges that the application may pass to the GPU, and the arena from which
 * they are allocated. All: lock held.
 *
 * The arena is one large reservation without access rights. Each allocation has its own pages,
 * surrounded by inaccessible ones. Its end is as close to the end of a page as CUDA's alignment
 * permits. So overruns, use after free and wild addresses fault. Freed addresses are reused as late
 * as possible.
 */
#ifndef SIMCUDA_MEMORY_H
#define SIMCUDA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

/* The alignment that cuMemAlloc guarantees. */
#define MEMORY_ALIGNMENT ((size_t)256)

enum memory_kind {
	MEMORY_DEVICE,
	MEMORY_MANAGED,
	MEMORY_HOST,       /* pinned, allocated by the driver */
	MEMORY_REGISTERED, /* pinned, allocated by the application */
	MEMORY_MAPPED,     /* physical memory mapped by cuMemMap */
	MEMORY_GLOBAL,     /* a device variable of a module */
};

/* One range of memory; owned by the table. */
struct memory_range {
	uintptr_t base;
	size_t size;
	enum memory_kind kind;
	CUcontext context; /* NULL for mapped memory and pools */
	CUdevice device;
	CUmemoryPool pool; /* or NULL */
	uint64_t id;
	unsigned flags;
	CUmemGenericAllocationHandle physical; /* of mapped memory */
	bool sync_memops;
};

/* Reserve a part of the arena, without access rights. Return NULL if the arena is full. */
void *arena_reserve(size_t size, size_t alignment);
/* Release a reservation and make it inaccessible. */
void arena_release(void *start);
/* Discard the pages but keep the reservation. */
void arena_clear(void *start, size_t size);
/* True if [start, start + size) is inside one reservation. */
bool arena_contains(const void *start, size_t size);

/*
 * Allocate a range like `model`, at a base chosen here. Return CUDA_ERROR_OUT_OF_MEMORY if the
 * device has not enough left, or CUDA_ERROR_INVALID_VALUE for size 0.
 */
CUresult memory_allocate(struct memory_range model, uintptr_t *out_base);

/* Add a range for memory that exists already. */
void memory_register(struct memory_range model);

/* Return the range that contains the address, or NULL. Valid until the range is freed. */
struct memory_range *memory_find(const void *address);

/* True if the GPU may access the address or it is in the arena; otherwise it is the host's. */
bool memory_is_of_gpu(const void *address);

/* Return the range of that kind that starts at `base`, or NULL. */
struct memory_range *memory_find_base(const void *base, enum memory_kind kind);

/* True if all of it is in one range; always true for size 0. */
bool memory_contains(const void *start, size_t size);

/* Remove the range that starts there, if any, and unmap it if the driver allocated it. */
void memory_free(const void *base);

size_t memory_used_bytes(CUdevice device);

/* Call memory_free() for every range of the context. */
void memory_free_context(CUcontext context);

#endif

/*
 * memory.h - the addresses that the application may give to the GPU, and the arena they come from.
 * All: lock held.
 *
 * The arena is one large reservation without access rights. Each allocation lies in its own pages
 * of it, its end as close to the end of a page as CUDA's alignment permits, with untouched pages
 * around: overrun, use after free and wild addresses fault. Freed addresses are used again as late
 * as possible.
 */
#ifndef SIMCUDA_MEMORY_H
#define SIMCUDA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

/* What cuMemAlloc promises. */
#define MEMORY_ALIGNMENT ((size_t)256)

enum memory_kind {
	MEMORY_DEVICE,
	MEMORY_MANAGED,
	MEMORY_HOST,       /* pinned, ours */
	MEMORY_REGISTERED, /* pinned, the application's */
	MEMORY_MAPPED,     /* physical memory mapped by cuMemMap */
	MEMORY_GLOBAL,     /* a device variable of a module */
};

/* One for each range; owned by the table. */
struct memory_range {
	uintptr_t base;
	size_t size;
	enum memory_kind kind;
	CUcontext context; /* NULL: of none (mapped memory, pools) */
	CUdevice device;
	CUmemoryPool pool; /* NULL: of none */
	uint64_t id;
	unsigned flags;
	CUmemGenericAllocationHandle physical; /* of mapped memory */
	bool sync_memops;
};

/* A part of the arena without access rights; NULL: none left. */
void *arena_reserve(size_t size, size_t alignment);
/* Any part that lies in no reservation any more is inaccessible from now on. */
void arena_release(void *start);
/* Takes the pages away, keeps the reservation. */
void arena_clear(void *start, size_t size);
/* Is [start, start + size) inside one reservation? */
bool arena_contains(const void *start, size_t size);

/*
 * Allocates as model says (its base is chosen here). CUDA_ERROR_OUT_OF_MEMORY where the device has
 * not enough left, CUDA_ERROR_INVALID_VALUE for size 0.
 */
CUresult memory_allocate(struct memory_range model, uintptr_t *out_base);

/* Memory that exists already. */
void memory_register(struct memory_range model);

/* The range that contains the address, or NULL. Valid until it is freed. */
struct memory_range *memory_find(const void *address);

/* Is it the GPU's to access, or at least among the addresses that are given out? Else the host's.
 */
bool memory_is_of_gpu(const void *address);

/* Exactly that range, of that kind, or NULL. */
struct memory_range *memory_find_base(const void *base, enum memory_kind kind);

/* Is all of it in one range? Of size 0: always. */
bool memory_contains(const void *start, size_t size);

/* Forgets the range that begins there; memory of ours is unmapped. Harmless if there is none. */
void memory_free(const void *base);

size_t memory_used_bytes(CUdevice device);

/* memory_free() for all that the context still has. */
void memory_free_context(CUcontext context);

#endif

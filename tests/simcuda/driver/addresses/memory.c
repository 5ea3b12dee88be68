/*
 * memory.c - the table of ranges, and the arena from which they are allocated.
 */
#include "addresses/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "addresses/intervals.h"
#include "settings.h"
#include "sim.h"

#define PAGE_BYTES ((size_t)4096)
/* The gap between two reservations, so that an index slightly too large faults. */
#define GAP_BYTES ((size_t)64 << 10)
/* The arena starts at a multiple of it, so that addresses have the same distances in each run. */
#define ARENA_ALIGNMENT ((size_t)2 << 20)
/*
 * Sizes to try, largest first: address space may be limited, or used by a sanitizer. qemu-user,
 * which runs tests for aarch64, takes seconds for the largest: it keeps flags of each page.
 */
static const size_t arena_sizes[] = {
#ifndef __aarch64__
	(size_t)1 << 40, (size_t)1 << 38,
#endif
	(size_t)1 << 36, (size_t)1 << 34};

static struct {
	uintptr_t start, end;
	uintptr_t next; /* start of the search for space: the end of the newest reservation */
	struct interval_table reserved;
} arena;

static struct interval_table ranges; /* data: struct memory_range */

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

static void create_arena(void)
{
	for (size_t i = 0; i < sizeof(arena_sizes) / sizeof(arena_sizes[0]); i++) {
		void *area = mmap(NULL, arena_sizes[i], PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (area == MAP_FAILED)
			continue;
		arena.start = arena.next = round_up((uintptr_t)area, ARENA_ALIGNMENT);
		arena.end = (uintptr_t)area + arena_sizes[i];
		return;
	}
}

/* Return the first free space of that size at or after start, or 0. */
static uintptr_t find_room(uintptr_t start, size_t size, size_t alignment)
{
	uintptr_t candidate = round_up(start + GAP_BYTES, alignment);
	while (candidate + size + GAP_BYTES <= arena.end) {
		const struct interval *taken = interval_find_from(&arena.reserved, candidate);
		if (!taken || taken->start >= candidate + size + GAP_BYTES)
			return candidate;
		candidate = round_up(taken->start + taken->size + GAP_BYTES, alignment);
	}
	return 0;
}

void *arena_reserve(size_t size, size_t alignment)
{
	if (!arena.start)
		create_arena();
	if (size > arena.end - arena.start)
		return NULL;
	uintptr_t start = find_room(arena.next, size, alignment);
	if (!start)
		start = find_room(arena.start, size, alignment);
	if (!start)
		return NULL;
	interval_insert(&arena.reserved, (struct interval){.start = start, .size = size});
	arena.next = start + size;
	return (void *)start;
}

void arena_clear(void *start, size_t size)
{
	/* This replaces an existing mapping, so it fails only if mmap() always fails. */
	if (mmap(start, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		 -1, 0) == MAP_FAILED)
		abort();
}

void arena_release(void *start)
{
	struct interval *interval = interval_find(&arena.reserved, (uintptr_t)start);
	arena_clear((void *)interval->start, interval->size);
	interval_remove(&arena.reserved, interval);
}

bool arena_contains(const void *start, size_t size)
{
	const struct interval *interval = interval_find(&arena.reserved, (uintptr_t)start);
	return interval && (uintptr_t)start + size <= interval->start + interval->size;
}

static bool is_of_device(const struct memory_range *range, CUdevice device)
{
	return range->device == device &&
	       (range->kind == MEMORY_DEVICE || range->kind == MEMORY_MANAGED);
}

size_t memory_used_bytes(CUdevice device)
{
	size_t used = 0;
	for (size_t i = 0; i < ranges.count; i++) {
		const struct memory_range *range = ranges.intervals[i].data;
		if (is_of_device(range, device))
			used += round_up(range->size, PAGE_BYTES);
	}
	return used;
}

void memory_register(struct memory_range model)
{
	static uint64_t n_ranges; /* guarded by sim_lock */
	struct memory_range *range = sim_alloc(sizeof(*range));
	*range = model;
	range->id = ++n_ranges;
	interval_insert(&ranges, (struct interval){range->base, range->size, range});
}

static bool has_room(const struct memory_range *model)
{
	size_t limit = settings.memory_bytes;
	return model->size <= limit && memory_used_bytes(model->device) <= limit - model->size;
}

CUresult memory_allocate(struct memory_range model, uintptr_t *out_base)
{
	size_t aligned = round_up(model.size, MEMORY_ALIGNMENT);
	size_t area_size = round_up(aligned, PAGE_BYTES);
	if (model.size == 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!has_room(&model))
		return CUDA_ERROR_OUT_OF_MEMORY;
	unsigned char *area = arena_reserve(area_size, PAGE_BYTES);
	if (!area)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (mprotect(area, area_size, PROT_READ | PROT_WRITE) != 0) {
		arena_release(area);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	model.base = (uintptr_t)area + area_size - aligned;
	memory_register(model);
	*out_base = model.base;
	return CUDA_SUCCESS;
}

struct memory_range *memory_find(const void *address)
{
	const struct interval *interval = interval_find(&ranges, (uintptr_t)address);
	return interval ? interval->data : NULL;
}

bool memory_is_of_gpu(const void *address)
{
	uintptr_t at = (uintptr_t)address;
	return (at >= arena.start && at < arena.end) || memory_find(address);
}

struct memory_range *memory_find_base(const void *base, enum memory_kind kind)
{
	struct memory_range *range = memory_find(base);
	return range && range->base == (uintptr_t)base && range->kind == kind ? range : NULL;
}

bool memory_contains(const void *start, size_t size)
{
	const struct memory_range *range = memory_find(start);
	if (size == 0)
		return true;
	return range && (uintptr_t)start - range->base + size <= range->size;
}

static bool is_ours(const struct memory_range *range)
{
	return range->kind == MEMORY_DEVICE || range->kind == MEMORY_MANAGED ||
	       range->kind == MEMORY_HOST;
}

void memory_free(const void *base)
{
	struct interval *interval = interval_find(&ranges, (uintptr_t)base);
	if (!interval || interval->start != (uintptr_t)base)
		return;
	struct memory_range *range = interval->data;
	interval_remove(&ranges, interval);
	if (is_ours(range))
		arena_release((void *)range->base);
	free(range);
}

void memory_free_context(CUcontext context)
{
	for (size_t i = ranges.count; i-- > 0;) {
		const struct memory_range *range = ranges.intervals[i].data;
		if (range->context == context)
			memory_free((const void *)range->base);
	}
}

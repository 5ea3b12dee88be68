/*
 * handles.c - a hash table of the live handles, open addressing with linear probing.
 */
#include "handles.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "objects.h"
#include "sim.h"

struct slot {
	const void *handle;    /* NULL: never used */
	enum handle_kind kind; /* HANDLE_NONE with a handle: removed, probing continues */
};

/* capacity is a power of two; n_live <= n_used < capacity / 2, where n_used counts removed ones. */
static struct slot *slots;
static size_t capacity, n_used, n_live;

static size_t first_slot(const void *handle)
{
	uint64_t hash = (uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(hash >> 32) & (capacity - 1);
}

static struct slot *find_slot(const void *handle)
{
	size_t i = first_slot(handle);
	while (slots[i].handle && slots[i].handle != handle)
		i = (i + 1) & (capacity - 1);
	return &slots[i];
}

static void put(const void *handle, enum handle_kind kind)
{
	struct slot *slot = find_slot(handle);
	if (!slot->handle)
		n_used++;
	n_live += slot->kind == HANDLE_NONE;
	slot->handle = handle;
	slot->kind = kind;
}

/* Drop the removed slots, and double the table if the live ones need it. */
static void rebuild(void)
{
	struct slot *old = slots;
	size_t old_capacity = capacity;
	if (capacity == 0)
		capacity = 256;
	else if (n_live * 4 >= capacity)
		capacity *= 2;
	n_live = 0;
	slots = sim_alloc(capacity * sizeof(*slots));
	n_used = 0;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].kind != HANDLE_NONE)
			put(old[i].handle, old[i].kind);
	free(old);
}

void handle_add(const void *handle, enum handle_kind kind)
{
	if (n_used * 2 >= capacity)
		rebuild();
	put(handle, kind);
}

void handle_remove(const void *handle)
{
	struct slot *slot = find_slot(handle);
	if (slot->kind == HANDLE_NONE)
		return;
	slot->kind = HANDLE_NONE;
	n_live--;
}

enum handle_kind handle_kind_of(const void *handle)
{
	if (!handle || !slots)
		return HANDLE_NONE;
	struct slot *slot = find_slot(handle);
	return slot->handle ? slot->kind : HANDLE_NONE;
}

bool handle_is(const void *handle, enum handle_kind kind)
{
	return handle_kind_of(handle) == kind;
}

/*
 * gone_handles.c - a table of small sets, in each of which a newer handle replaces the oldest one.
 * If two threads write to one set at once, a handle may get the other's time, which is practically
 * the same.
 */
#include "record/host/gone_handles.h"

#include "base/hash.h"
#include "record/host/clock.h"

enum { SET_SIZE = GONE_HANDLES_SET, N_SETS = MAX_GONE_HANDLES / SET_SIZE };

static const uint64_t KEPT_NS = 1000ull * 1000 * 1000;

static uint32_t set_of(uint64_t handle)
{
	return (uint32_t)(hash_word(handle) >> 32) % N_SETS * SET_SIZE;
}

/* Return the index of the handle's place; MAX_GONE_HANDLES: it has none. */
static uint32_t find(const struct gone_handles *gone, uint64_t handle)
{
	uint32_t first = set_of(handle);
	for (uint32_t i = first; i < first + SET_SIZE; i++) {
		if (__atomic_load_n(&gone->handles[i].handle, __ATOMIC_ACQUIRE) == handle)
			return i;
	}
	return MAX_GONE_HANDLES;
}

static uint64_t since(const struct gone_handles *gone, uint32_t index)
{
	return __atomic_load_n(&gone->handles[index].since_ns, __ATOMIC_RELAXED);
}

/* Return a free place in the handle's set, or that of the handle that went first. */
static uint32_t find_room(const struct gone_handles *gone, uint64_t handle)
{
	uint32_t first = set_of(handle);
	uint32_t oldest = first;
	for (uint32_t i = first; i < first + SET_SIZE; i++) {
		if (__atomic_load_n(&gone->handles[i].handle, __ATOMIC_RELAXED) == 0)
			return i;
		if (since(gone, i) < since(gone, oldest))
			oldest = i;
	}
	return oldest;
}

void gone_handles_add(struct gone_handles *gone, uint64_t handle)
{
	bool is_added = false;
	while (!is_added) { /* until no other thread takes the place first */
		uint32_t index = find(gone, handle);
		uint32_t room = index < MAX_GONE_HANDLES ? index : find_room(gone, handle);
		struct gone_handle *place = &gone->handles[room];
		uint64_t old = __atomic_load_n(&place->handle, __ATOMIC_RELAXED);
		__atomic_store_n(&place->since_ns, clock_ns(), __ATOMIC_RELAXED);
		is_added = __atomic_compare_exchange_n(&place->handle, &old, handle, false,
						       __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
}

void gone_handles_remove(struct gone_handles *gone, uint64_t handle)
{
	uint32_t index = find(gone, handle);
	if (index < MAX_GONE_HANDLES)
		(void)__atomic_compare_exchange_n(&gone->handles[index].handle, &handle, 0, false,
						  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool gone_handles_has(const struct gone_handles *gone, uint64_t handle)
{
	uint32_t index = find(gone, handle);
	return index < MAX_GONE_HANDLES && clock_ns() - since(gone, index) < KEPT_NS;
}

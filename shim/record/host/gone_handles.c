/*
 * gone_handles.c - a table in which a newer handle replaces an older one. If two threads write one
 * slot at once, a handle may get the other's time, which is practically the same.
 */
#include "record/host/gone_handles.h"

#include "base/hash.h"
#include "record/host/clock.h"

static const uint64_t KEPT_NS = 1000ull * 1000 * 1000;

static uint32_t place_of(uint64_t handle)
{
	return (uint32_t)(hash_word(handle) >> 32) % MAX_GONE_HANDLES;
}

void gone_handles_add(struct gone_handles *gone, uint64_t handle)
{
	struct gone_handle *place = &gone->handles[place_of(handle)];
	__atomic_store_n(&place->since_ns, clock_ns(), __ATOMIC_RELAXED);
	__atomic_store_n(&place->handle, handle, __ATOMIC_RELEASE);
}

void gone_handles_remove(struct gone_handles *gone, uint64_t handle)
{
	struct gone_handle *place = &gone->handles[place_of(handle)];
	(void)__atomic_compare_exchange_n(&place->handle, &handle, 0, false, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED);
}

bool gone_handles_has(const struct gone_handles *gone, uint64_t handle)
{
	const struct gone_handle *place = &gone->handles[place_of(handle)];
	return __atomic_load_n(&place->handle, __ATOMIC_ACQUIRE) == handle &&
	       clock_ns() - __atomic_load_n(&place->since_ns, __ATOMIC_RELAXED) < KEPT_NS;
}

/*
 * gone_handles.c - a table in which a newer handle takes an older one's place.
 */
#include "record/objects/gone_handles.h"

#include "base/hash.h"
#include "record/host/clock.h"

enum { N_HANDLES = 1024 };

static const uint64_t KEPT_NS = 1000ull * 1000 * 1000;

static struct {
	uint64_t handle; /* atomic, 0: none; written last */
	uint64_t since_ns;
} handles[N_HANDLES];

static uint32_t place_of(uint64_t handle)
{
	return (uint32_t)(hash_word(handle) >> 32) % N_HANDLES;
}

void gone_handles_add(uint64_t handle)
{
	uint32_t place = place_of(handle);
	__atomic_store_n(&handles[place].since_ns, clock_ns(), __ATOMIC_RELAXED);
	__atomic_store_n(&handles[place].handle, handle, __ATOMIC_RELEASE);
}

void gone_handles_remove(uint64_t handle)
{
	uint32_t place = place_of(handle);
	if (__atomic_load_n(&handles[place].handle, __ATOMIC_RELAXED) == handle)
		__atomic_store_n(&handles[place].handle, 0, __ATOMIC_RELAXED);
}

bool gone_handles_has(uint64_t handle)
{
	uint32_t place = place_of(handle);
	return __atomic_load_n(&handles[place].handle, __ATOMIC_ACQUIRE) == handle &&
	       clock_ns() - __atomic_load_n(&handles[place].since_ns, __ATOMIC_RELAXED) < KEPT_NS;
}

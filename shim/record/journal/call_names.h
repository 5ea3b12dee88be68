/*
 * call_names.h - string ids in the journal for the names of entry points.
 */
#ifndef CULPRIT_RECORD_CALL_NAMES_H
#define CULPRIT_RECORD_CALL_NAMES_H

#include <stdint.h>

#include "base/driver_calls.h"
#include "base/hot.h"

/* Return the string id of the call's name, 0 if there is no room. Any thread. */
uint32_t call_name_discover(enum driver_call call);
extern __attribute__((visibility("hidden"))) uint32_t call_name_ids[N_DRIVER_CALLS]; /* atomic */
static inline uint32_t call_name_id(enum driver_call call)
{
	/* Acquire: a reader of what this thread records sees the string too. */
	uint32_t id = __atomic_load_n(&call_name_ids[call], __ATOMIC_ACQUIRE);
	return id ? id : call_name_discover(call);
}

/* The call that a thread asked for last, and its string id if not 0. */
struct call_name {
	uint32_t call, id;
};

/* Slow path: a call other than the last one. */
uint32_t call_name_miss(struct call_name *newest, enum driver_call call);
static inline uint32_t call_name_cached(struct call_name *newest, enum driver_call call)
{
	if (LIKELY(newest->call == call) && LIKELY(newest->id))
		return newest->id;
	return call_name_miss(newest, call);
}

#endif

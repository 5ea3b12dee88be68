/*
 * call_names.h - the journal's string ids of the entry points' names.
 */
#ifndef CULPRIT_RECORD_CALL_NAMES_H
#define CULPRIT_RECORD_CALL_NAMES_H

#include <stdint.h>

#include "base/driver_calls.h"
#include "base/hot.h"

/* The string id of the call's name, 0 without room. Any thread. */
uint32_t call_name_meet(enum driver_call call);
extern __attribute__((visibility("hidden"))) uint32_t call_name_ids[N_DRIVER_CALLS]; /* atomic */
static inline uint32_t call_name_id(enum driver_call call)
{
	uint32_t id = __atomic_load_n(&call_name_ids[call], __ATOMIC_RELAXED);
	return id ? id : call_name_meet(call);
}

/* The one that a thread asked for last: the string id of the call, if that is not 0. */
struct call_name {
	uint32_t call, id;
};

/* Another one than last time. */
uint32_t call_name_change(struct call_name *newest, enum driver_call call);
static inline uint32_t call_name_again(struct call_name *newest, enum driver_call call)
{
	if (USUALLY(newest->call == call) && USUALLY(newest->id))
		return newest->id;
	return call_name_change(newest, call);
}

#endif

/*
 * call_names.c - interns each name once.
 */
#include "call_names.h"

#include "hot.h"
#include "strings.h"

static uint32_t ids[N_DRIVER_CALLS]; /* atomic; two threads may write the same value */

HOT uint32_t call_name_id(enum driver_call call)
{
	uint32_t id = __atomic_load_n(&ids[call], __ATOMIC_RELAXED);
	if (!id) {
		id = strings_intern_z(driver_calls[call].name);
		__atomic_store_n(&ids[call], id, __ATOMIC_RELAXED);
	}
	return id;
}

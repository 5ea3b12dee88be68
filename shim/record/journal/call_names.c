/*
 * call_names.c - intern each name once.
 */
#include "record/journal/call_names.h"

#include "base/hot.h"
#include "record/journal/strings.h"

uint32_t call_name_ids[N_DRIVER_CALLS]; /* two threads may write the same value */

COLD uint32_t call_name_discover(enum driver_call call)
{
	uint32_t id = strings_intern_z(driver_calls[call].name);
	/* Pairs with the acquire load in call_name_id(). */
	__atomic_store_n(&call_name_ids[call], id, __ATOMIC_RELEASE);
	return id;
}

COLD uint32_t call_name_miss(struct call_name *newest, enum driver_call call)
{
	*newest = (struct call_name){.call = call, .id = call_name_id(call)};
	return newest->id;
}

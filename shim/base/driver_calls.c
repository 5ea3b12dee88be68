/*
 * driver_calls.c - the table of facts about each entry point.
 */
#include "driver_calls.h"

#include <stddef.h>

#define CLEANUP    true
#define KEEP       false
#define PER_THREAD true
#define LEGACY     false
#define NO_STREAM  NO_STREAM_ARGUMENT

const struct driver_call_facts driver_calls[N_DRIVER_CALLS] = {
#define DRIVER_CALL(name_, family_, role_, cleanup_, since_, default_, stream_, ...) \
	[CALL_##name_] = {.name = #name_,                                            \
			  .family = CALL_##family_,                                  \
			  .role = ROLE_##role_,                                      \
			  .is_cleanup = (cleanup_),                                  \
			  .is_default_per_thread = (default_),                       \
			  .stream_offset = (stream_),                                \
			  .since = (since_)},
#include "driver_calls.def"
#undef DRIVER_CALL
};

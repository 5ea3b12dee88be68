/*
 * driver_calls.c - the table of facts about each entry point.
 */
#include "base/driver_calls.h"

#define CLEANUP    true
#define KEEP       false
#define PER_THREAD true
#define LEGACY     false
#define NO_STREAM  NO_STREAM_ARGUMENT
#define REPORTS    true
#define SILENT     false
#define NO_EVENT   NO_EVENT_ARGUMENT

const struct driver_call_facts driver_calls[N_DRIVER_CALLS] = {
#define DRIVER_CALL(name_, family_, role_, cleanup_, since_, default_, stream_, params_, args_, \
		    fields_, reports_, event_)                                                  \
	[CALL_##name_] = {.name = #name_,                                                       \
			  .family = CALL_##family_,                                             \
			  .role = ROLE_##role_,                                                 \
			  .is_cleanup = (cleanup_),                                             \
			  .is_default_per_thread = (default_),                                  \
			  .reports_failure = (reports_),                                        \
			  .stream_offset = (stream_),                                           \
			  .event_offset = (event_),                                             \
			  .since = (since_)},
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

/*
 * whole_arguments.h - all parameter bytes of the process's newest launches that have more than a
 * ring's rows keep, because libraries have their pointers in structures. They are outside the
 * rings: so many stores to memory outside the caches make a launch slow, and these few rows stay
 * cached.
 */
#ifndef CULPRIT_RECORD_WHOLE_ARGUMENTS_H
#define CULPRIT_RECORD_WHOLE_ARGUMENTS_H

#include "record/objects/function_store.h"

/*
 * Keep the parameters of the launch whose record has this thread and time, or those that fit. Reads
 * what `parameters` and `extra` point to, as the driver is about to do. Any thread.
 */
void whole_arguments_keep(const struct function *function, void *const *parameters,
			  void *const *extra, uint32_t tid, uint64_t time_ns);

#endif

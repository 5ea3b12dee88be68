/*
 * whole_arguments.h - the parameters of launches that have more of them than a ring's rows keep:
 * all bytes of the newest such launches of the process, for structures are where libraries have
 * their pointers. Apart from the rings, since so many stores to memory that is in no cache make a
 * launch dear: these rows are so few that they stay in it.
 */
#ifndef CULPRIT_RECORD_WHOLE_ARGUMENTS_H
#define CULPRIT_RECORD_WHOLE_ARGUMENTS_H

#include "record/objects/function_store.h"

/*
 * Keeps the parameters of the launch whose record has this thread and time, or those that fit.
 * Reads what `parameters` and `extra` point to, as the driver is about to do. Any thread.
 */
void whole_arguments_keep(const struct function *function, void *const *parameters,
			  void *const *extra, uint32_t tid, uint64_t time_ns);

#endif

/*
 * doubt.h - decide whether the driver's answers can be believed, for the application's calls and
 * for ours. They cannot when culprit has GPU core dumps made: while the driver writes one, it goes
 * on as if nothing had happened, and some calls of the failed process succeed.
 */
#ifndef CULPRIT_FAILURE_DOUBT_H
#define CULPRIT_FAILURE_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"
#include "record/driver/coredumps.h"

/*
 * True if anything is to be doubted. Markers then do not prove that earlier work was done well:
 * work after the fault runs, and so do markers. Every call asks, so this reads one word. Any
 * thread.
 */
static inline bool doubt_is_on(void)
{
	return coredumps_are_watched();
}

/*
 * True if this call's success may hide a failure. Before the failure, looks for the dump after
 * calls whose success proves something. After it, doubts every call that would return the failure's
 * code without dumps. `sequence` is the submission's, or 0: the success of a call that only queued
 * work before the failure still stands. Keeps errno. Any thread.
 */
bool doubt_success(enum driver_call id, uint64_t sequence);

/*
 * Return the result that a call would have had without core dumps: `result`, or after the failure
 * its code. Pass a success only if doubt_success() doubts it. Any thread.
 */
CUresult doubt_result(enum driver_call id, CUresult result);

/* True if there is a dump of a failure that no call has reported yet. Any thread. */
bool doubt_has_dump(void);

#endif

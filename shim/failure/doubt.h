/*
 * doubt.h - may what the driver says be believed? Where culprit has GPU core dumps made it may not:
 * the driver then goes on as if nothing had happened while it writes one, and some calls of a
 * process that has failed succeed. The one place that answers, for the calls of the application and
 * for us.
 */
#ifndef CULPRIT_FAILURE_DOUBT_H
#define CULPRIT_FAILURE_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"
#include "record/driver/coredumps.h"

/*
 * Is anything to be doubted at all? If so, neither is a marker a proof that the work before it was
 * done well: work behind the fault runs, and so do markers. Every call asks: one word is read. Any
 * thread.
 */
static inline bool doubt_is_on(void)
{
	return coredumps_are_watched();
}

/*
 * May the success that this call has returned be a false one, which hides a failure? Looks for the
 * dump after calls whose success tells something; after the failure it is every call that would
 * return its code if dumps were off. `sequence` is the submission's, 0 if it is none: one that only
 * queues work, and began before the failure, stays what it was. Leaves errno alone. Any thread.
 */
bool doubt_success(enum driver_call id, uint64_t sequence);

/*
 * The result that a call would have had without core dumps: `result`, or after the failure its
 * code. Of a success only where doubt_success said so. Any thread.
 */
CUresult doubt_result(enum driver_call id, CUresult result);

/* Is there a dump, made by what no call has told of yet? Any thread. */
bool doubt_has_dump(void);

#endif

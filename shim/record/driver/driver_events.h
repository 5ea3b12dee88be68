/*
 * driver_events.h - whether the GPU has told the driver of something that the driver has not told
 * its callers yet. The driver hears of an exception in a thread of its own in this process, named
 * "cuda-EvtHandlr", one for each context.
 *
 * Why: while core dumps are on, a fault whose warp has gone (a stray store of a short kernel) lets
 * its kernel end, and a sync behind it returns success 40 to 160 ms before there is a dump or an
 * error. On an H200 under driver 580.159 the thread had run, or was about to, when that sync
 * returned: in 116 of 117 processes, in the other one 0.06 ms later; of 197 that ran beside three
 * busy threads for each processor in 188, in the others 0.4 to 40 ms later. It went on to be busy
 * until the dump was there. Otherwise it sleeps, but for ten looks a second, host functions and
 * events to block on.
 */
#ifndef CULPRIT_RECORD_DRIVER_EVENTS_H
#define CULPRIT_RECORD_DRIVER_EVENTS_H

#include <stdbool.h>

/*
 * What `has_come` says once the driver's threads have been asleep since the call before and 3 ms
 * more, or have been again for a while; true as soon as that says so. Some 20 microseconds where
 * that was seen in the last 4 ms; up to a few hundred milliseconds where they work. Where /proc
 * tells nothing it waits as if they slept. Not a point of cancellation. Of more than 32 such
 * threads the others are not watched. Any thread.
 */
bool driver_events_settle(bool (*has_come)(void));

#endif

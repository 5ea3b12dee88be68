/*
 * driver_events.h - whether the driver has heard from the GPU of something that it has not reported
 * to its callers yet. The driver hears of an exception in a thread of its own in this process,
 * named "cuda-EvtHandlr", one for each context.
 *
 * With core dumps on, a fault whose warp has exited (a stray store of a short kernel) lets its
 * kernel finish. A sync after it returns success 40 to 160 ms before there is a dump or an error.
 * On an H200 under driver 580.159 the thread had usually run, or was about to, when that sync
 * returned: in 116 of 117 processes, in the other one 0.06 ms later. Beside three busy threads for
 * each processor it was 188 of 197, in the others 0.4 to 40 ms later. The thread then stayed busy
 * until the dump was there. Otherwise it sleeps, except for ten checks a second, host functions and
 * events to block on.
 */
#ifndef CULPRIT_RECORD_DRIVER_EVENTS_H
#define CULPRIT_RECORD_DRIVER_EVENTS_H

#include <stdbool.h>

/*
 * Wait until the driver's threads have slept since the last call and 3 ms more, or have slept again
 * for a while, and return has_come(). Return true as soon as has_come() does. Takes some 20
 * microseconds if that sleep was seen in the last 4 ms, and up to a few hundred milliseconds if the
 * threads work. If /proc shows nothing, it waits as if they slept. Watches at most 32 such threads.
 * Not a cancellation point. Any thread.
 */
bool driver_events_settle(bool (*has_come)(void));

#endif

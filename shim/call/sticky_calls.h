/*
 * sticky_calls.h - which calls return the error of an earlier fault.
 */
#ifndef CULPRIT_CALL_STICKY_CALLS_H
#define CULPRIT_CALL_STICKY_CALLS_H

#include <stdbool.h>

#include "driver_calls.h"

/*
 * Does this call fail after a fault, with dumps off? Measured on an H200 under driver 580.159 for
 * the usual ones; of a call that was not measured the answer is no, and the driver's word stands.
 * Any thread.
 */
bool reports_sticky_error(enum driver_call id);

/* Is it one whose success tells that the GPU was well: a sync, query, copy or allocation? */
bool tells_health(enum driver_call id);

#endif

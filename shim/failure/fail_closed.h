/*
 * fail_closed.h - end the process at its failure, if the user asks for that (on_failure).
 */
#ifndef CULPRIT_FAILURE_FAIL_CLOSED_H
#define CULPRIT_FAILURE_FAIL_CLOSED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"

/* Set what follows a failure. `is_left`: the journal stays in memory at exit. Start-up only. */
void fail_closed_start(enum failure_policy wanted, bool is_left);

/*
 * Return at once unless there is a failure that must end the process. Call this as the last thing
 * before a call returns an error to the program, outside its scope: a handler of SIGABRT may make
 * calls, and may leave by a jump.
 *
 * The thread that discovered the failure completes the bundle and calls abort(). A handler of
 * SIGABRT therefore runs as after any abort(), and calls that it makes return. If it leaves by a
 * jump, the thread's next such call ends the process without it. Other threads wait here for the
 * end. `tid` is the calling thread's, 0 if unknown. Any thread; no lock held.
 */
void fail_closed(uint32_t tid);

#endif

/*
 * coredumps.h - are GPU core dumps in use, by the user's own wish?
 */
#ifndef CULPRIT_RECORD_COREDUMPS_H
#define CULPRIT_RECORD_COREDUMPS_H

#include <stdbool.h>

/*
 * Does an exception on the GPU make a core dump, for the process or for the current context? Then
 * the driver may swallow it for a while (driver 580.159, with CU_COREDUMP_SKIP_ABORT): calls return
 * success and work behind the fault runs, so that neither a sync nor a marker proves anything. Asks
 * the driver; also after the failure. Any thread.
 */
bool coredumps_are_on(void);

#endif

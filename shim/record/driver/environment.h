/*
 * environment.h - what the user's CUDA_* variables ask of the driver, as far as culprit goes by it.
 * Each is read when it is asked for, at the start: later the program may change its environment.
 */
#ifndef CULPRIT_RECORD_ENVIRONMENT_H
#define CULPRIT_RECORD_ENVIRONMENT_H

#include <stdbool.h>

/* Does the driver wait for each launch before it returns? CUDA_LAUNCH_BLOCKING. Start-up only. */
bool environment_is_launch_blocking(void);

/* Do all streams share one hardware queue? CUDA_DEVICE_MAX_CONNECTIONS. Start-up only. */
bool environment_has_one_queue(void);

/* Is there a variable that says whether and where core dumps are written? Start-up only. */
bool environment_has_coredumps(void);

/*
 * Does something list the calls that the driver refuses: a tool that the driver loads
 * (CUDA_INJECTION64_PATH), one that was preloaded, or its own log (CUDA_LOG_FILE)? Start-up only.
 */
bool environment_has_observer(void);

/* Does valgrind run the program? It tells its user of reads that are only tried. Start-up only. */
bool environment_is_under_valgrind(void);

#endif

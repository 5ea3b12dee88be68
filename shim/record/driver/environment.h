/*
 * environment.h - the settings in the user's CUDA_* variables that matter to culprit. Each is read
 * when it is asked for, at the start: later the program may change its environment.
 */
#ifndef CULPRIT_RECORD_ENVIRONMENT_H
#define CULPRIT_RECORD_ENVIRONMENT_H

#include <stdbool.h>

/* True if the driver waits for each launch: CUDA_LAUNCH_BLOCKING. Start-up only. */
bool environment_is_launch_blocking(void);

/* True if all streams share one hardware queue: CUDA_DEVICE_MAX_CONNECTIONS. Start-up only. */
bool environment_has_one_queue(void);

/* True if a variable says whether or where core dumps are written. Start-up only. */
bool environment_has_coredumps(void);

/*
 * True if the driver compiles PTX even if it has machine code for the device: CUDA_FORCE_PTX_JIT,
 * or CUDA_FORCE_JIT. Start-up only.
 */
bool environment_forces_ptx(void);

/*
 * True if something lists the calls that the driver rejects. It may be a tool that the driver loads
 * (CUDA_INJECTION64_PATH), a preloaded tool, cuda-gdb, or the driver's log (CUDA_LOG_FILE).
 * Start-up only.
 */
bool environment_has_observer(void);

/* True if valgrind runs the program: it reports even mere attempts to read. Start-up only. */
bool environment_is_under_valgrind(void);

#endif

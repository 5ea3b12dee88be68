/*
 * coredump.h - GPU core dumps: their settings, and the effect of a fault while they are on. All:
 * lock held.
 *
 * An H200 under driver 580.159 is the model. It hides the error of most faults, later work runs on,
 * and the process fails some time later. An assert then has the code of a trap, and running data as
 * code has the code of an illegal instruction.
 */
#ifndef SIMCUDA_COREDUMP_H
#define SIMCUDA_COREDUMP_H

#include "work/operation.h"

/*
 * Write the dump of a faulted operation if dumps are on and it ran as a kernel. This may release
 * the lock meanwhile (SIMCUDA_COREDUMP_GROW_MS), and aborts the process unless the program asked to
 * skip that. Only the first fault is dumped.
 */
void coredump_of(const struct operation *operation, CUresult code);

/* True if faults of kernels make dumps. */
bool coredump_is_on(void);

/* True once the dump of a fault has been started. */
bool coredump_has_begun(void);

/* True if the driver hides that fault for a while. */
bool coredump_hides(const struct operation *operation, CUresult code);

/* Return the code that calls return once the fault is visible. */
CUresult coredump_code(const struct operation *operation, CUresult code);

/*
 * Return the path of the pipe by which users trigger a dump of running kernels, as the environment
 * names it, or NULL. The string stays valid.
 */
const char *coredump_pipe(void);

/* Write a dump of this operation, which runs a kernel, as a user asked for. */
void coredump_of_running(const struct operation *operation);

#endif

/*
 * coredump.h - GPU core dumps: their settings, and what a fault does while they are on. As an H200
 * does under driver 580.159: the error of most faults is hidden, work behind the fault runs on, and
 * the process fails some time later; an assert then has the code of a trap, and data that
 * is run as code that of an illegal instruction. All: lock held.
 */
#ifndef SIMCUDA_COREDUMP_H
#define SIMCUDA_COREDUMP_H

#include "work/operation.h"

/*
 * This operation has faulted. Writes the dump if dumps are on and it ran as a kernel; may
 * release the lock meanwhile (SIMCUDA_COREDUMP_GROW_MS), and ends the process where the program has
 * not asked to skip that. Nothing but the first fault is dumped.
 */
void coredump_of(const struct operation *operation, CUresult code);

/* Do faults of kernels make dumps? */
bool coredump_is_on(void);

/* Is another fault's dump being written, or has it been? */
bool coredump_has_begun(void);

/* Does the driver hide that fault for a while? */
bool coredump_hides(const struct operation *operation, CUresult code);

/* What calls return after it, once they do. */
CUresult coredump_code(const struct operation *operation, CUresult code);

/*
 * The pipe by which the user asks for a dump of what runs, as the environment names it; NULL: there
 * is none. Of this process, for ever valid.
 */
const char *coredump_pipe(void);

/* Somebody has: of this operation, which runs a kernel. */
void coredump_of_running(const struct operation *operation);

#endif

/*
 * coredump.h - GPU core dumps: their settings, and what a fault does while they are on. As an H200
 * does under driver 580.159: the error of most faults is hidden, work behind the fault runs on, and
 * the process fails some time later; an assert then has the code of a trap, and data that
 * is run as code that of an illegal instruction. All: lock held.
 */
#ifndef SIMCUDA_COREDUMP_H
#define SIMCUDA_COREDUMP_H

#include "queue.h"

/*
 * This operation has faulted. Writes the dump if dumps are on and it ran as a kernel; may
 * release the lock meanwhile (SIMCUDA_COREDUMP_GROW_MS), and ends the process where the program has
 * not asked to skip that. Nothing but the first fault is dumped.
 */
void coredump_of(const struct operation *operation, CUresult code);

/* Writes the dump to its file and frees the bytes; may release the lock, and end the process. */
void coredump_write(unsigned char *bytes, size_t size);

/* Do faults of kernels make dumps? */
bool coredump_is_on(void);

/* Has the warp that faulted gone before the dump was made? */
bool coredump_lost_warp(const struct operation *operation, CUresult code);

/* Is another fault's dump being written, or has it been? */
bool coredump_has_begun(void);

/* Does the driver hide that fault for a while? */
bool coredump_hides(const struct operation *operation, CUresult code);

/* What calls return after it, once they do. */
CUresult coredump_code(const struct operation *operation, CUresult code);

/*
 * The kernel that faulted, in a graph its node's, or the driver's for a copy or memset; NULL: it
 * was none. Of the driver's there is one at a time.
 */
const struct kernel_work *coredump_kernel(const struct operation *operation);

/* The kernel by which the driver does this copy or memset; NULL: by none. In coredump_drivers.c. */
const struct kernel_work *coredump_drivers_kernel(const struct work *work);

/* The bytes of the dump, the caller's to free. In coredump_image.c. */
unsigned char *coredump_bytes(const struct operation *operation, CUresult code, size_t *out_size);

#endif

/*
 * faulted.h - the kernel in which a fault occurred. Lock held.
 */
#ifndef SIMCUDA_FAULTED_H
#define SIMCUDA_FAULTED_H

#include <stdbool.h>

#include "work/operation.h"
#include "work/work.h"

/*
 * Return the kernel that faulted, or NULL. In a graph it is a node's kernel; for a copy or memset,
 * it is the driver's, which is valid until the next call.
 */
const struct kernel_work *faulted_kernel(const struct operation *operation);

/* True if the faulted warp left the GPU before the dump was made. */
bool faulted_lost_warp(const struct operation *operation, CUresult code);

#endif

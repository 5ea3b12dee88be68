/*
 * faulted.h - the kernel that a fault was in. Lock held.
 */
#ifndef SIMCUDA_FAULTED_H
#define SIMCUDA_FAULTED_H

#include <stdbool.h>

#include "work/operation.h"
#include "work/work.h"

/*
 * The kernel that faulted, in a graph its node's, or the driver's for a copy or memset; NULL: it
 * was none. Of the driver's there is one at a time.
 */
const struct kernel_work *faulted_kernel(const struct operation *operation);

/* Has the warp that faulted gone before the dump was made? */
bool faulted_lost_warp(const struct operation *operation, CUresult code);

#endif

/*
 * coredump_drivers.h - the driver's kernels for copying and filling memory. Lock held.
 */
#ifndef SIMCUDA_COREDUMP_DRIVERS_H
#define SIMCUDA_COREDUMP_DRIVERS_H

#include "work/work.h"

/* Return the kernel by which the driver does this copy or memset, or NULL if it uses none. */
const struct kernel_work *coredump_drivers_kernel(const struct work *work);

#endif

/*
 * coredump_drivers.h - the kernels that the driver copies and fills memory by. Lock held.
 */
#ifndef SIMCUDA_COREDUMP_DRIVERS_H
#define SIMCUDA_COREDUMP_DRIVERS_H

#include "work/work.h"

/* The kernel by which the driver does this copy or memset; NULL: by none. */
const struct kernel_work *coredump_drivers_kernel(const struct work *work);

#endif

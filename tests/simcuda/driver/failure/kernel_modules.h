/*
 * kernel_modules.h - the driver's side of libsimkernel.so: without that library, nothing here
 * happens.
 */
#ifndef SIMCUDA_KERNEL_MODULES_H
#define SIMCUDA_KERNEL_MODULES_H

#include "simkernel.h"

/* Open the device files, as cuInit does. Once. */
void kernel_modules_open(void);

/* A GPU has faulted. Any thread, with or without the lock. */
void kernel_modules_raise(const struct simkernel_fault *fault);

/*
 * A call is about to return the failure: ask for the states of the SMs, as the driver does in the
 * first calls. Not after an assertion. Any thread, with or without the lock.
 */
void kernel_modules_ask(void);

#endif

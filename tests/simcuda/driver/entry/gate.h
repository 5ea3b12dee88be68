/*
 * gate.h - the checks that every call passes before its implementation: injected results, the state
 * of the driver, the current context and captures, and the failure of the process.
 */
#ifndef SIMCUDA_GATE_H
#define SIMCUDA_GATE_H

#include <stdbool.h>

#include "base/driver_calls.h"

/*
 * Return CUDA_SUCCESS with the lock held, which gate_leave() releases. Otherwise, return the result
 * of the call without holding the lock.
 */
CUresult gate_enter(enum driver_call call, bool is_default_per_thread);
void gate_leave(void);

/* Lock held. cuInit: let calls work, unless the process is a forked child or in exit(). */
CUresult gate_open(void);

#endif

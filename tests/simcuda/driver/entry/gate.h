/*
 * gate.h - what every call goes through before its implementation: injected results, the state of
 * the driver, of the current context and of captures, and the failure of the process.
 */
#ifndef SIMCUDA_GATE_H
#define SIMCUDA_GATE_H

#include <stdbool.h>

#include "base/driver_calls.h"

/*
 * CUDA_SUCCESS: go on, with the lock held until gate_leave(). Else the result of the call, and the
 * lock is not held.
 */
CUresult gate_enter(enum driver_call call, bool is_default_per_thread);
void gate_leave(void);

/* Lock held. cuInit: calls work from now on, unless the process is a fork or in exit(). */
CUresult gate_open(void);

#endif

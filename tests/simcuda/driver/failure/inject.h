/*
 * inject.h - results injected by SIMCUDA_INJECT: "name:n:code[:sticky],..." makes the n-th call of
 * name return code without any other effect. sticky makes the code the failure of the process.
 */
#ifndef SIMCUDA_INJECT_H
#define SIMCUDA_INJECT_H

#include "base/driver_calls.h"

/* Lock held. Count the call and return its injected result, or CUDA_SUCCESS if it has none. */
CUresult inject_result(enum driver_call call);

#endif

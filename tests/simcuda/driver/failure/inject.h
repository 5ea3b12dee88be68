/*
 * inject.h - results ordered by SIMCUDA_INJECT: "name:n:code[:sticky],..." makes the n-th call of
 * name return code and do nothing else; sticky makes code the failure of the process.
 */
#ifndef SIMCUDA_INJECT_H
#define SIMCUDA_INJECT_H

#include "base/driver_calls.h"

/* Lock held. Counts the call; CUDA_SUCCESS: nothing is ordered for it. */
CUresult inject_result(enum driver_call call);

#endif

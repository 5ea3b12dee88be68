/*
 * memset.h - fill memory. Lock held.
 */
#ifndef SIMCUDA_MEMSET_H
#define SIMCUDA_MEMSET_H

#include "work/work.h"

/* Make the work. Return CUDA_ERROR_INVALID_VALUE if the address is invalid or misaligned. */
CUresult memset_make_work(const CUDA_MEMSET_NODE_PARAMS *request, struct work *out_work);

#endif

/*
 * memset.h - filling memory. Lock held.
 */
#ifndef SIMCUDA_MEMSET_H
#define SIMCUDA_MEMSET_H

#include "work/work.h"

/* CUDA_ERROR_INVALID_VALUE if that is not memory, or not aligned to its elements. */
CUresult memset_make_work(const CUDA_MEMSET_NODE_PARAMS *request, struct work *out_work);

#endif

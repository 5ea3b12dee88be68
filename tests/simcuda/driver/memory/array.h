/*
 * array.h - CUDA arrays: plain memory whose layout the application cannot see. All: lock held.
 */
#ifndef SIMCUDA_ARRAY_H
#define SIMCUDA_ARRAY_H

#include "base/cuda_api.h"

struct CUarray_st {
	CUDA_ARRAY3D_DESCRIPTOR descriptor;
	CUdeviceptr data;
	size_t pitch, slice; /* bytes from row to row, and from layer to layer */
};

#endif

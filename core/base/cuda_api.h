/*
 * cuda_api.h - NVIDIA's cuda.h as the driver exports it: every version of every entry point under
 * its own name, without renaming macros. Every file that uses CUDA includes this one.
 */
#ifndef CULPRIT_BASE_CUDA_API_H
#define CULPRIT_BASE_CUDA_API_H

/* cuda.h renames cuMemAlloc to cuMemAlloc_v2 and so on, unless the driver's own build asks. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>

#include "base/cuda_since.h"

#endif

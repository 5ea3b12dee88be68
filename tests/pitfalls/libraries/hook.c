/* hook.c - another preloaded tool that wraps cuLaunchKernel, to run before or after culprit. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cuda_api.h"

typedef CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
			   unsigned, CUstream, void **, void **);

__attribute__((visibility("default"))) CUresult CUDAAPI
cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
	       unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
	       unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
{
	launch next = (launch)(uintptr_t)dlsym(RTLD_NEXT, "cuLaunchKernel");

	printf("hook\n");
	return next(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
		    sharedMemBytes, hStream, kernelParams, extra);
}

/*
 * fake_version.c - the one call of the fake driver, apart from its look-ups, that returns a value.
 */
#include "base/cuda_api.h"

CUresult CUDAAPI cuDriverGetVersion(int *driverVersion)
{
	*driverVersion = 99000;
	return CUDA_SUCCESS;
}

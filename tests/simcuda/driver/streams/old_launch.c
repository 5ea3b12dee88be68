/*
 * old_launch.c - the launch interface of CUDA 2: block shape and parameters of the next launches
 * are set on the function.
 */
#include <stdlib.h>
#include <string.h>

#include "code/library.h"
#include "entry.h"
#include "sim.h"

static CUresult check(CUfunction function)
{
	return library_function_of(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z)
{
	CUresult result = check(hfunc);
	if (result != CUDA_SUCCESS)
		return result;
	if (x <= 0 || y <= 0 || z <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	hfunc->block = (struct simcuda_dim){(unsigned)x, (unsigned)y, (unsigned)z};
	return CUDA_SUCCESS;
}

CUresult sim_cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes)
{
	CUresult result = check(hfunc);
	if (result == CUDA_SUCCESS)
		hfunc->shared_bytes = bytes;
	return result;
}

CUresult sim_cuParamSetSize(CUfunction hfunc, unsigned int numbytes)
{
	CUresult result = check(hfunc);
	if (result != CUDA_SUCCESS)
		return result;
	unsigned char *params = sim_alloc(numbytes);
	if (hfunc->params)
		memcpy(params, hfunc->params,
		       hfunc->params_size < numbytes ? hfunc->params_size : numbytes);
	free(hfunc->params);
	hfunc->params = params;
	hfunc->params_size = numbytes;
	return CUDA_SUCCESS;
}

CUresult sim_cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes)
{
	CUresult result = check(hfunc);
	size_t end = (size_t)offset + numbytes;
	if (result != CUDA_SUCCESS)
		return result;
	if (offset < 0 || !ptr)
		return CUDA_ERROR_INVALID_VALUE;
	if (end > hfunc->params_size)
		sim_cuParamSetSize(hfunc, (unsigned)end);
	memcpy(hfunc->params + offset, ptr, numbytes);
	return CUDA_SUCCESS;
}

CUresult sim_cuParamSeti(CUfunction hfunc, int offset, unsigned int value)
{
	return sim_cuParamSetv(hfunc, offset, &value, sizeof(value));
}

CUresult sim_cuParamSetf(CUfunction hfunc, int offset, float value)
{
	return sim_cuParamSetv(hfunc, offset, &value, sizeof(value));
}

CUresult sim_cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream)
{
	CUresult result = check(f);
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, NULL, CU_LAUNCH_PARAM_BUFFER_SIZE, NULL,
			 CU_LAUNCH_PARAM_END};
	if (result != CUDA_SUCCESS)
		return result;
	if (grid_width <= 0 || grid_height <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	extra[1] = f->params;
	extra[3] = &f->params_size;
	return sim_cuLaunchKernel(f, (unsigned)grid_width, (unsigned)grid_height, 1, f->block.x,
				  f->block.y, f->block.z, f->shared_bytes, hStream, NULL, extra);
}

CUresult sim_cuLaunchGrid(CUfunction f, int grid_width, int grid_height)
{
	return sim_cuLaunchGridAsync(f, grid_width, grid_height, NULL);
}

CUresult sim_cuLaunch(CUfunction f)
{
	return sim_cuLaunchGrid(f, 1, 1);
}

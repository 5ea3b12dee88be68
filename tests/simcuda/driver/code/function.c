/*
 * function.c - queries about functions and kernels, and their attributes.
 */
#include "code/library.h"
#include "entry.h"
#include "objects.h"

/* The largest opt-in shared memory of a block on sm_90. */
#define MAX_SHARED_BYTES (227 << 10)

static CUresult get_name(const char **out_name, const void *handle)
{
	CUfunction function = library_asked_function(handle);
	if (!out_name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!function)
		return CUDA_ERROR_INVALID_HANDLE;
	*out_name = function->kernel->name;
	return CUDA_SUCCESS;
}

CUresult sim_cuFuncGetName(const char **name, CUfunction hfunc)
{
	return get_name(name, hfunc);
}

CUresult sim_cuKernelGetName(const char **name, CUkernel hfunc)
{
	return get_name(name, hfunc);
}

static CUresult get_param_info(const void *handle, size_t index, size_t *out_offset,
			       size_t *out_size)
{
	CUfunction function = library_asked_function(handle);
	if (!function)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!out_offset || index >= function->kernel->n_params)
		return CUDA_ERROR_INVALID_VALUE;
	*out_offset = function->kernel->offsets[index];
	if (out_size)
		*out_size = function->kernel->sizes[index];
	return CUDA_SUCCESS;
}

CUresult sim_cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
				size_t *paramSize)
{
	return get_param_info(func, paramIndex, paramOffset, paramSize);
}

CUresult sim_cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
				  size_t *paramSize)
{
	return get_param_info(kernel, paramIndex, paramOffset, paramSize);
}

CUresult sim_cuFuncGetModule(CUmodule *hmod, CUfunction hfunc)
{
	CUfunction function = library_asked_function(hfunc);
	if (!hmod)
		return CUDA_ERROR_INVALID_VALUE;
	if (!function)
		return CUDA_ERROR_INVALID_HANDLE;
	*hmod = function->module;
	return CUDA_SUCCESS;
}

static CUresult get_attribute(int *out_value, CUfunction_attribute attribute, const void *handle)
{
	CUfunction function = library_asked_function(handle);
	if (!function)
		return library_refusal_of(handle);
	if (!out_value || attribute >= CU_FUNC_ATTRIBUTE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	*out_value = function->attributes[attribute];
	return CUDA_SUCCESS;
}

static CUresult set_attribute(const void *handle, CUfunction_attribute attribute, int value)
{
	CUfunction function = library_function_of(handle);
	if (!function)
		return CUDA_ERROR_INVALID_HANDLE;
	/* The attributes before this one are read-only facts about the code. */
	if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
	    attribute >= CU_FUNC_ATTRIBUTE_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
	    (value < 0 || value > MAX_SHARED_BYTES))
		return CUDA_ERROR_INVALID_VALUE;
	function->attributes[attribute] = value;
	return CUDA_SUCCESS;
}

CUresult sim_cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
	return get_attribute(pi, attrib, hfunc);
}

CUresult sim_cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
	return set_attribute(hfunc, attrib, value);
}

CUresult sim_cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
				  CUdevice dev)
{
	(void)dev;
	return get_attribute(pi, attrib, kernel);
}

CUresult sim_cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
				  CUdevice dev)
{
	(void)dev;
	return set_attribute(kernel, attrib, val);
}

static CUresult accept_preference(const void *handle)
{
	return library_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
	(void)config;
	return accept_preference(hfunc);
}

CUresult sim_cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
	(void)config;
	return accept_preference(hfunc);
}

CUresult sim_cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
	(void)config;
	(void)dev;
	return accept_preference(kernel);
}

CUresult sim_cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	if (!library_function_of(function))
		return CUDA_ERROR_INVALID_HANDLE;
	*state = CU_FUNCTION_LOADING_STATE_LOADED;
	return CUDA_SUCCESS;
}

CUresult sim_cuFuncLoad(CUfunction function)
{
	return accept_preference(function);
}

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
							 int blockSize, size_t dynamicSMemSize)
{
	(void)dynamicSMemSize;
	if (!library_asked_function(func))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!numBlocks || blockSize <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	*numBlocks = 2048 / blockSize > 32 ? 32 : 2048 / blockSize;
	return CUDA_SUCCESS;
}

CUresult sim_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func,
								  int blockSize,
								  size_t dynamicSMemSize,
								  unsigned int flags)
{
	(void)flags;
	return sim_cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize,
							       dynamicSMemSize);
}

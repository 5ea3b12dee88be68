/*
 * context_limits.c - limits and preferences of a context, which are stored but have no effect.
 */
#include "entry.h"
#include "handles.h"
#include "objects.h"

CUresult sim_cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	*pvalue = context_current()->limits[limit];
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxSetLimit(CUlimit limit, size_t value)
{
	if (limit >= CU_LIMIT_MAX)
		return CUDA_ERROR_UNSUPPORTED_LIMIT;
	context_current()->limits[limit] = value;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	*pconfig = context_current()->cache_config;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxSetCacheConfig(CUfunc_cache config)
{
	context_current()->cache_config = config;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)
{
	if (!context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	*pConfig = context_current()->shared_config;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	context_current()->shared_config = config;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxResetPersistingL2Cache(void)
{
	return CUDA_SUCCESS;
}

/* All devices of the simulation can access all memory. */
CUresult sim_cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
	if (Flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_is(peerContext, HANDLE_CONTEXT) || peerContext == context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	return CUDA_SUCCESS;
}

CUresult sim_cuCtxDisablePeerAccess(CUcontext peerContext)
{
	return handle_is(peerContext, HANDLE_CONTEXT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

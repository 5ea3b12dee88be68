/*
 * driver_hooks.c - hand-written wrappers: the driver's own look-up, which returns further entry
 * points; cuInit, with which culprit starts; the error text; and the extensions.
 */
#include "entry/entry.h"

#include <stdint.h>

#include "arch/frame.h"
#include "call/call_scope.h"
#include "call/lifecycle.h"
#include "culprit.h"
#include "entry/process.h"
#include "entry/symbol_lookup.h"
#include "failure/error_string.h"
#include "failure/event_check.h"
#include "failure/failure.h"
#include "record/driver/driver.h"

EXPORT CUresult CUDAAPI cuInit(unsigned int Flags)
{
	CUresult result = real.cuInit(Flags);
	if (result != CUDA_SUCCESS)
		return call_scope_failed(CALL_cuInit, result, FRAME_HERE());
	process_driver_ready();
	return result;
}

/*
 * Replace the address that the driver chose by name, version and flags. Only the address counts
 * here, so the answer has exactly the version asked for. *pfn is read only after a success.
 */
static void put_wrapper(const char *symbol, void **pfn)
{
	if (!pfn || !*pfn || lifecycle_disabled())
		return;
	const void *wrapper = entry_point_for(*pfn);
	if (wrapper)
		*pfn = (void *)(uintptr_t)wrapper;
	else if (!symbol_is_ours(*pfn))
		driver_count_unknown(symbol);
}

EXPORT CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
					 cuuint64_t flags)
{
	CUresult result = real.cuGetProcAddress(symbol, pfn, cudaVersion, flags);
	if (result != CUDA_SUCCESS)
		return call_scope_failed(CALL_cuGetProcAddress, result, FRAME_HERE());
	put_wrapper(symbol, pfn);
	return result;
}

EXPORT CUresult CUDAAPI cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion,
					    cuuint64_t flags,
					    CUdriverProcAddressQueryResult *symbolStatus)
{
	CUresult result = real.cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, symbolStatus);
	if (result != CUDA_SUCCESS)
		return call_scope_failed(CALL_cuGetProcAddress_v2, result, FRAME_HERE());
	put_wrapper(symbol, pfn);
	return result;
}

EXPORT CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr)
{
	CUresult result = real.cuGetErrorString(error, pStr);
	if (result != CUDA_SUCCESS)
		return call_scope_failed(CALL_cuGetErrorString, result, FRAME_HERE());
	error_string_annotate(error, pStr);
	return result;
}

EXPORT CUresult CUDAAPI cuEventCheckError(CUresult *result, CUevent event, unsigned int flags)
{
	return event_check_error(result, event, flags);
}

EXPORT CUresult culpritFailure(const char **headline, const char **directory)
{
	return failure_reported(headline, directory);
}

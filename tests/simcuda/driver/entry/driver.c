/*
 * driver.c - initialisation, the driver's version, and names and texts of results.
 */
#include <stddef.h>

#include "entry.h"
#include "entry/gate.h"
#include "settings.h"

struct error {
	CUresult code;
	const char *name, *text;
};

static const struct error errors[] = {
#define ERROR(code, text) {code, #code, text},
#include "errors.def"
#undef ERROR
};

CUresult sim_cuInit(unsigned int Flags)
{
	if (Flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (settings.n_devices <= 0)
		return CUDA_ERROR_NO_DEVICE;
	return gate_open();
}

CUresult sim_cuDriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return CUDA_ERROR_INVALID_VALUE;
	*driverVersion = settings.driver_version;
	return CUDA_SUCCESS;
}

static const struct error *find_error(CUresult code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == code)
			return &errors[i];
	return NULL;
}

CUresult sim_cuGetErrorName(CUresult error, const char **pStr)
{
	const struct error *found = find_error(error);
	if (!pStr)
		return CUDA_ERROR_INVALID_VALUE;
	*pStr = found ? found->name : NULL;
	return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGetErrorString(CUresult error, const char **pStr)
{
	const struct error *found = find_error(error);
	if (!pStr)
		return CUDA_ERROR_INVALID_VALUE;
	*pStr = found ? found->text : NULL;
	return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The private tables of the runtime library are not simulated. */
CUresult sim_cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
	if (!ppExportTable || !pExportTableId)
		return CUDA_ERROR_INVALID_VALUE;
	*ppExportTable = NULL;
	return CUDA_ERROR_NOT_FOUND;
}

CUresult sim_cuProfilerStart(void)
{
	return CUDA_SUCCESS;
}

CUresult sim_cuProfilerStop(void)
{
	return CUDA_SUCCESS;
}

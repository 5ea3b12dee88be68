/*
 * world.c - create and destroy what a program works with, and remember what went wrong.
 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_sticky(CUresult code)
{
	return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_ASSERT ||
	       code == CUDA_ERROR_MISALIGNED_ADDRESS || code == CUDA_ERROR_LAUNCH_FAILED ||
	       code == CUDA_ERROR_ILLEGAL_INSTRUCTION;
}

void world_check(struct world *world, const char *call, CUresult code)
{
	int none = 0;
	if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY)
		return;
	/* After the failure a stream that could not be recreated may be missing. */
	if (atomic_load(&world->failed))
		return;
	if (is_sticky(code) && world->program->fault != FAULT_NONE) {
		atomic_compare_exchange_strong(&world->failed, &none, (int)code);
		return;
	}
	fprintf(stderr, "oracle: %s returned %d\n", call, (int)code);
	atomic_store(&world->is_broken, true);
}

void world_need(const char *call, CUresult code)
{
	if (code == CUDA_SUCCESS)
		return;
	fprintf(stderr, "oracle: %s returned %d\n", call, (int)code);
	exit(2);
}

void world_tell(const struct world *world, const char *format, ...)
{
	if (!world->truth_path)
		return;
	FILE *truth = fopen(world->truth_path, "ae");
	if (!truth) {
		perror(world->truth_path);
		exit(2);
	}
	va_list arguments;
	va_start(arguments, format);
	vfprintf(truth, format, arguments);
	va_end(arguments);
	if (fclose(truth)) {
		perror(world->truth_path);
		exit(2);
	}
}

CUresult world_make_green(CUdevice device, CUgreenCtx *out_green, CUcontext *out_handle)
{
	unsigned n_shares = 1;
	CUdevResource all;
	CUresult code = cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
	CUdevResource share;
	if (!code)
		code = cuDevSmResourceSplitByCount(&share, &n_shares, &all, NULL, 0, 16);
	CUdevResourceDesc description = NULL;
	if (!code)
		code = cuDevResourceGenerateDesc(&description, &share, 1);
	if (!code)
		code = cuGreenCtxCreate(out_green, description, device,
					CU_GREEN_CTX_DEFAULT_STREAM);
	return code ? code : cuCtxFromGreenCtx(out_handle, *out_green);
}

/*
 * deep.c - a plug-in that is linked with libcuda; its loader decides by which scope it is bound.
 */
#include <stdint.h>

#include "../where.h"
#include "base/cuda_api.h"

void deep_where(void);

void deep_where(void)
{
	print_where("linked", (void *)(uintptr_t)cuLaunchKernel);
	print_where("dlsym", dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuLaunchKernel"));
}

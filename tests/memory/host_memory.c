/* host_memory.c - calls about host memory that the driver refuses, each for a different reason. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { PAGE = 4096 };

static void *pageable(size_t size)
{
	void *memory;

	NEED_TRUE(posix_memalign(&memory, PAGE, size) == 0);
	return memory;
}

static void *pinned(unsigned flags)
{
	void *memory;

	NEED(cuMemHostAlloc(&memory, 2 * PAGE, flags));
	return memory;
}

static void *registered(unsigned flags)
{
	void *memory = pageable((size_t)2 * PAGE);

	NEED(cuMemHostRegister(memory, (size_t)2 * PAGE, flags));
	return memory;
}

static CUresult ask(void *memory, unsigned flags)
{
	CUdeviceptr address;

	return cuMemHostGetDevicePointer(&address, memory, flags);
}

static CUresult ask_flags(void)
{
	return ask(pinned(0), 1);
}

static CUresult ask_pageable(void)
{
	return ask(pageable(PAGE), 0);
}

static CUresult ask_behind(void)
{
	return ask((char *)pinned(0) + 2 * PAGE + 64, 0);
}

static CUresult ask_freed(void)
{
	void *memory = pinned(0);

	NEED(cuMemFreeHost(memory));
	return ask((char *)memory + 16, 0);
}

static CUresult ask_unregistered(void)
{
	void *memory = registered(0);

	NEED(cuMemHostUnregister(memory));
	return ask(memory, 0);
}

static CUresult ask_device_memory(void)
{
	CUdeviceptr address;

	NEED(cuMemAlloc(&address, PAGE));
	return ask((void *)(uintptr_t)address, 0);
}

/* The call is right, so an error has no reason that could be known. */
static CUresult ask_mapped(void)
{
	(void)ask(pinned(CU_MEMHOSTALLOC_DEVICEMAP), 0);
	return CUDA_SUCCESS;
}

/* With SIMCUDA_UNIFIED=0, as the rest that asks. */
static CUresult ask_unmapped(void)
{
	NEED(cuCtxSetFlags(CU_CTX_MAP_HOST));
	return ask(pinned(CU_MEMHOSTALLOC_PORTABLE), 0);
}

static CUresult ask_unmapped_registered(void)
{
	NEED(cuCtxSetFlags(CU_CTX_MAP_HOST));
	return ask(registered(0), 0);
}

static CUresult ask_in_context(void)
{
	NEED(cuCtxSetFlags(0));
	return ask(pinned(CU_MEMHOSTALLOC_DEVICEMAP), 0);
}

static CUresult register_again(void)
{
	char *memory = registered(0);

	return cuMemHostRegister(memory + PAGE, (size_t)2 * PAGE, 0);
}

static CUresult unregister_twice(void)
{
	void *memory = registered(0);

	NEED(cuMemHostUnregister(memory));
	return cuMemHostUnregister(memory);
}

static CUresult unregister_inside(void)
{
	return cuMemHostUnregister((char *)registered(0) + PAGE);
}

static CUresult unregister_pinned(void)
{
	return cuMemHostUnregister(pinned(0));
}

static CUresult unregister_pageable(void)
{
	return cuMemHostUnregister(pageable(PAGE));
}

static CUresult free_registered(void)
{
	return cuMemFreeHost(registered(0));
}

static const struct {
	const char *name;
	CUresult (*call)(void);
	CUresult code;
} misuses[] = {
	{"flags", ask_flags, CUDA_ERROR_INVALID_VALUE},
	{"pageable", ask_pageable, CUDA_ERROR_INVALID_VALUE},
	{"behind", ask_behind, CUDA_ERROR_INVALID_VALUE},
	{"freed", ask_freed, CUDA_ERROR_INVALID_VALUE},
	{"unregistered", ask_unregistered, CUDA_ERROR_INVALID_VALUE},
	{"device_memory", ask_device_memory, CUDA_ERROR_INVALID_VALUE},
	{"again", register_again, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
	{"twice", unregister_twice, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED},
	{"inside", unregister_inside, CUDA_ERROR_INVALID_VALUE},
	{"unregister_pinned", unregister_pinned, CUDA_ERROR_INVALID_VALUE},
	{"unregister_pageable", unregister_pageable, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED},
	{"free_registered", free_registered, CUDA_ERROR_INVALID_VALUE},
	{"unmapped", ask_unmapped, CUDA_ERROR_INVALID_VALUE},
	{"unmapped_registered", ask_unmapped_registered, CUDA_ERROR_INVALID_VALUE},
	{"mapped", ask_mapped, CUDA_SUCCESS},
	{"context", ask_in_context, CUDA_ERROR_INVALID_VALUE},
};

/*
 * A GPU's driver may answer differently from simcuda. In that case the answer is printed, and the
 * other cases still run.
 */
int misuse_host_memory(const char *what)
{
	int status = 0;

	for (size_t i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++) {
		CUresult code;

		if (*what && strcmp(what, misuses[i].name) != 0)
			continue;
		code = misuses[i].call();
		if (code == misuses[i].code)
			continue;
		fprintf(stderr, "host_memory: %s: %d, not %d\n", misuses[i].name, (int)code,
			(int)misuses[i].code);
		status = 3;
	}
	host_launch_some(2);
	return status;
}

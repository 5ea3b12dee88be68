/*
 * faults.c - kernels that miss memory, each in one way, on a GPU as on simcuda. The expected
 * content of the verdict is printed before the launch. The driver decides what is mapped "beside"
 * an allocation, so the driver is asked.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { GRANULE = 2 << 20, SIZE = 32 * GRANULE, CLOSE = 512 };

/* An element that no array has: nothing is mapped 32 TiB after other memory. */
#define FAR_INDEX (UINT64_C(1) << 43)

/* The kernel's pointer, and its relation to the piece of memory that the report must name. */
struct fault {
	const char *state; /* as in the report's JSON; "own": the program's own memory; "none" */
	CUdeviceptr base;
	size_t size;
	int line; /* that made it */
	CUdeviceptr pointer;
	uint64_t index; /* of the element that the kernel touches besides the first */
	const char *kernel;
	const char *words; /* additional words of the report */
};

#define MAKE(fault, call) (NEED(call), (fault)->line = __LINE__)

static bool ask_range(CUdeviceptr address, CUdeviceptr *out_base, size_t *out_size)
{
	return cuMemGetAddressRange(out_base, out_size, address) == CUDA_SUCCESS;
}

/* Extend base and size to the last piece before the first address unknown to the driver. */
static void find_end(struct fault *fault)
{
	CUdeviceptr base;
	size_t size;

	while (ask_range(fault->base + fault->size, &base, &size))
		fault->base = base, fault->size = size, fault->line = 0;
}

/* The same before it. */
static void find_begin(struct fault *fault)
{
	CUdeviceptr base;
	size_t size;

	while (ask_range(fault->base - 1, &base, &size))
		fault->base = base, fault->size = size, fault->line = 0;
}

static void make_live(struct fault *fault)
{
	fault->state = "inside";
	fault->size = SIZE;
	MAKE(fault, cuMemAlloc(&fault->base, SIZE));
	fault->pointer = fault->base;
}

static void be_after(struct fault *fault)
{
	make_live(fault);
	find_end(fault);
	fault->state = "past";
	fault->pointer = fault->base + fault->size + CLOSE;
}

static void be_before(struct fault *fault)
{
	make_live(fault);
	find_begin(fault);
	fault->state = "before";
	fault->pointer = fault->base - CLOSE;
}

static void index_after(struct fault *fault)
{
	struct fault end;

	make_live(fault);
	end = *fault;
	find_end(&end);
	fault->index = (end.base + end.size + CLOSE - fault->base) / sizeof(unsigned);
}

static void index_before(struct fault *fault)
{
	struct fault begin;

	make_live(fault);
	begin = *fault;
	find_begin(&begin);
	fault->index = -((fault->base - begin.base + CLOSE) / sizeof(unsigned));
}

static void load_after(struct fault *fault)
{
	index_after(fault);
	fault->kernel = "stray_load";
}

static void be_misaligned(struct fault *fault)
{
	make_live(fault);
	fault->pointer++;
}

static void be_freed(struct fault *fault)
{
	make_live(fault);
	fault->state = "freed";
	NEED(cuMemFree(fault->base));
}

static void be_freed_inside(struct fault *fault)
{
	be_freed(fault);
	fault->pointer += GRANULE + CLOSE;
}

/* Most likely both are at the same place; the report must then name the newer one. */
static void be_freed_again(struct fault *fault)
{
	struct fault first;

	be_freed(&first);
	be_freed(fault);
}

/* The address now belongs to a smaller allocation than the one that was freed. */
static void be_freed_smaller(struct fault *fault)
{
	CUdeviceptr small;

	be_freed(fault);
	NEED(cuMemAlloc(&small, 2 * GRANULE));
	fault->pointer += SIZE / 2;
}

static void be_freed_managed(struct fault *fault)
{
	fault->state = "freed";
	fault->size = SIZE;
	MAKE(fault, cuMemAllocManaged(&fault->base, SIZE, CU_MEM_ATTACH_GLOBAL));
	fault->pointer = fault->base;
	NEED(cuMemFree(fault->base));
}

static void be_freed_pitched(struct fault *fault)
{
	size_t pitch;

	fault->state = "freed";
	MAKE(fault, cuMemAllocPitch(&fault->base, &pitch, GRANULE, 32, 16));
	fault->size = pitch * 32;
	fault->pointer = fault->base;
	NEED(cuMemFree(fault->base));
}

static void be_freed_in_stream(struct fault *fault)
{
	CUmemoryPool pool;

	fault->state = "freed";
	fault->size = SIZE;
	MAKE(fault, cuMemAllocAsync(&fault->base, SIZE, NULL));
	fault->pointer = fault->base;
	NEED(cuMemFreeAsync(fault->base, NULL));
	NEED(cuCtxSynchronize());
	NEED(cuDeviceGetDefaultMemPool(&pool, 0));
	NEED(cuMemPoolTrimTo(pool, 0));
}

static void be_freed_with_pool(struct fault *fault)
{
	const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
					   .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemoryPool pool;

	NEED(cuMemPoolCreate(&pool, &properties));
	fault->state = "freed";
	fault->size = SIZE;
	MAKE(fault, cuMemAllocFromPoolAsync(&fault->base, SIZE, pool, NULL));
	fault->pointer = fault->base;
	NEED(cuMemFreeAsync(fault->base, NULL));
	NEED(cuCtxSynchronize());
	NEED(cuMemPoolDestroy(pool));
}

static void be_freed_host(struct fault *fault)
{
	void *memory;

	fault->state = "freed";
	fault->size = SIZE;
	MAKE(fault, cuMemHostAlloc(&memory, SIZE, CU_MEMHOSTALLOC_DEVICEMAP));
	fault->base = fault->pointer = (uintptr_t)memory;
	NEED(cuMemFreeHost(memory));
}

static void be_behind_host(struct fault *fault)
{
	void *memory;

	fault->state = "past";
	fault->size = SIZE;
	MAKE(fault, cuMemHostAlloc(&memory, SIZE, CU_MEMHOSTALLOC_DEVICEMAP));
	fault->base = (uintptr_t)memory;
	fault->pointer = fault->base + SIZE + CLOSE;
}

static void be_unregistered(struct fault *fault)
{
	void *memory;

	NEED_TRUE(posix_memalign(&memory, GRANULE, SIZE) == 0);
	fault->state = "freed";
	fault->size = SIZE;
	MAKE(fault, cuMemHostRegister(memory, SIZE, CU_MEMHOSTREGISTER_DEVICEMAP));
	fault->base = fault->pointer = (uintptr_t)memory;
	NEED(cuMemHostUnregister(memory));
}

/* Use pageable memory. If the device can access it, there is no fault. */
static void be_pageable(struct fault *fault)
{
	void *memory;

	NEED_TRUE(posix_memalign(&memory, GRANULE, GRANULE) == 0);
	fault->state = "own";
	fault->pointer = (uintptr_t)memory;
}

static void be_on_stack(struct fault *fault)
{
	static char *on_stack;
	char here[64];

	on_stack = here;
	fault->state = "own";
	fault->pointer = ((uintptr_t)on_stack + 7) & ~(uintptr_t)7;
}

static void be_nowhere(struct fault *fault)
{
	fault->state = "none";
	fault->pointer = 0x10;
}

/* Reserve three granules of addresses; the second has memory, with those rights. */
static void map_virtual(struct fault *fault, CUmemAccess_flags rights)
{
	const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	const CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
					.flags = rights};
	CUmemGenericAllocationHandle handle;
	CUdeviceptr addresses;

	NEED(cuMemAddressReserve(&addresses, 3 * GRANULE, 0, 0, 0));
	NEED(cuMemCreate(&handle, GRANULE, &properties, 0));
	fault->base = addresses + GRANULE;
	fault->size = GRANULE;
	fault->state = "inside";
	fault->pointer = fault->base + CLOSE;
	MAKE(fault, cuMemMap(fault->base, GRANULE, 0, handle, 0));
	if (rights != CU_MEM_ACCESS_FLAGS_PROT_NONE)
		NEED(cuMemSetAccess(fault->base, GRANULE, &access, 1));
}

static void be_without_rights(struct fault *fault)
{
	map_virtual(fault, CU_MEM_ACCESS_FLAGS_PROT_NONE);
	fault->words = "no device has the right to read or write it";
}

static void be_read_only(struct fault *fault)
{
	map_virtual(fault, CU_MEM_ACCESS_FLAGS_PROT_READ);
	fault->words = "no device has the right to write it";
}

/* The addresses stay reserved. */
static void be_unmapped(struct fault *fault)
{
	map_virtual(fault, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	fault->state = "freed";
	NEED(cuMemUnmap(fault->base, GRANULE));
}

static void be_released(struct fault *fault)
{
	be_unmapped(fault);
	NEED(cuMemAddressFree(fault->base - GRANULE, 3 * GRANULE));
}

static void be_reserved(struct fault *fault)
{
	fault->state = "reserved";
	fault->size = 3 * GRANULE;
	MAKE(fault, cuMemAddressReserve(&fault->base, 3 * GRANULE, 0, 0, 0));
	fault->pointer = fault->base + GRANULE;
}

/* Use memory of another device, which the first device cannot access. */
static void be_of_peer(struct fault *fault)
{
	CUcontext context, other;
	CUdevice device;
	int n;

	NEED(cuDeviceGetCount(&n));
	if (n < 2) {
		puts("{\"skipped\": \"one device\"}");
		exit(0);
	}
	NEED(cuCtxGetCurrent(&context));
	NEED(cuDeviceGet(&device, 1));
	NEED(cuDevicePrimaryCtxRetain(&other, device));
	NEED(cuCtxSetCurrent(other));
	make_live(fault);
	fault->index = FAR_INDEX; /* simcuda's devices have access to each other */
	fault->words = "on device 1, the launch is on 0";
	NEED(cuCtxSetCurrent(context));
}

static const struct {
	const char *name;
	void (*make)(struct fault *fault);
} faults[] = {
	{"after", be_after},
	{"before", be_before},
	{"index_after", index_after},
	{"index_before", index_before},
	{"load_after", load_after},
	{"misaligned", be_misaligned},
	{"freed", be_freed},
	{"freed_inside", be_freed_inside},
	{"freed_again", be_freed_again},
	{"freed_smaller", be_freed_smaller},
	{"freed_managed", be_freed_managed},
	{"freed_pitched", be_freed_pitched},
	{"freed_in_stream", be_freed_in_stream},
	{"freed_with_pool", be_freed_with_pool},
	{"freed_host", be_freed_host},
	{"behind_host", be_behind_host},
	{"unregistered", be_unregistered},
	{"pageable", be_pageable},
	{"on_stack", be_on_stack},
	{"nowhere", be_nowhere},
	{"without_rights", be_without_rights},
	{"read_only", be_read_only},
	{"unmapped", be_unmapped},
	{"released", be_released},
	{"reserved", be_reserved},
	{"of_peer", be_of_peer},
};

static int commit(const struct fault *fault)
{
	unsigned tag = 1;
	CUdeviceptr pointer = fault->pointer;
	uint64_t index = fault->index;
	void *parameters[] = {&tag, &pointer, &index};
	CUfunction kernel = host_kernel(fault->kernel);
	CUresult code;

	printf("{\"state\": \"%s\", \"base\": \"0x%llx\", \"size\": %zu, \"file\": \"faults.c\", "
	       "\"line\": %d, "
	       "\"pointer\": \"0x%llx\", \"words\": \"%s\"}\n",
	       fault->state, fault->base, fault->size, fault->line, fault->pointer, fault->words);
	fflush(stdout);
	code = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
	if (code == CUDA_SUCCESS)
		code = cuCtxSynchronize();
	return code == CUDA_SUCCESS ? 0 : 1;
}

int miss_memory(const char *what)
{
	struct fault fault = {.kernel = "stray_store", .words = ""};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (!*what)
			puts(faults[i].name);
		if (strcmp(what, faults[i].name) != 0)
			continue;
		faults[i].make(&fault);
		return commit(&fault);
	}
	return *what ? 2 : 0;
}

/*
 * addresses.c - a kernel that is given an address of any kind, good or bad, and stores there.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { SIZE = 6000, GRANULE = 2 << 20 };

static CUdeviceptr tell(const char *name, CUdeviceptr address)
{
	printf("%s 0x%llx\n", name, address);
	return address;
}

static int store_at(CUdeviceptr address)
{
	char path[PATH_MAX];
	unsigned tag = 1, count = 1;
	void *parameters[] = {&tag, &address, &count};
	CUfunction fill;
	CUmodule module;

	host_kernel_path("fill", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&fill, module, "fill"));
	NEED(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
	return cuCtxSynchronize() == CUDA_SUCCESS ? 0 : 1;
}

static CUdeviceptr make_freed(void)
{
	CUdeviceptr address;

	NEED(cuMemAlloc(&address, SIZE));
	NEED(cuMemFree(address));
	return address;
}

/* The first granule of three is mapped without rights, the second read-only, the third not. */
static CUdeviceptr make_virtual(void)
{
	const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	const CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
					.flags = CU_MEM_ACCESS_FLAGS_PROT_READ};
	CUmemGenericAllocationHandle handle;
	CUdeviceptr address;

	NEED(cuMemAddressReserve(&address, 3 * GRANULE, 0, 0, 0));
	NEED(cuMemCreate(&handle, GRANULE, &properties, 0));
	NEED(cuMemMap(address, GRANULE, 0, handle, 0));
	NEED(cuMemMap(address + GRANULE, GRANULE, 0, handle, 0));
	NEED(cuMemSetAccess(address + GRANULE, GRANULE, &access, 1));
	return address;
}

/*
 * A copy from mapped memory waits for a kernel while the host removes the mapping: cuMemUnmap does
 * not wait for the GPU.
 */
int unmap_under_copy(const char *what)
{
	CUdeviceptr target, mapped = make_virtual() + GRANULE;
	CUstream stream;

	(void)what;
	NEED(cuMemAlloc(&target, SIZE));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	host_close_gate(stream);
	NEED(cuMemcpyDtoDAsync(target, mapped, SIZE, stream));
	NEED(cuMemUnmap(mapped, GRANULE));
	host_open_gate();
	return cuStreamSynchronize(stream) == CUDA_SUCCESS ? 0 : 1;
}

/* Give the kernel the address named `what`, and print all names for the test. */
int give_address(const char *what)
{
	struct {
		const char *name;
		CUdeviceptr address;
	} all[9];
	CUdeviceptr live, mapped, bad = 0;
	char on_stack[64];

	NEED(cuMemAlloc(&live, SIZE));
	mapped = make_virtual();
	all[0].name = "inside", all[0].address = live + 100;
	all[1].name = "after", all[1].address = live + SIZE + 1000;
	all[2].name = "before", all[2].address = live - 16;
	all[3].name = "no_rights", all[3].address = mapped + 256;
	all[4].name = "read_only", all[4].address = mapped + GRANULE + 256;
	all[5].name = "unmapped", all[5].address = mapped + 2 * GRANULE + 256;
	all[6].name = "freed", all[6].address = make_freed() + 512;
	all[7].name = "pageable", all[7].address = (uintptr_t)malloc(SIZE) + 64;
	all[8].name = "stack", all[8].address = (uintptr_t)on_stack;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		tell(all[i].name, all[i].address);
		if (!strcmp(all[i].name, what))
			bad = all[i].address;
	}
	fflush(stdout);
	return bad ? store_at(bad) : 0;
}

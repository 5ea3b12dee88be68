/*
 * kinds.c - a piece of memory of each kind that can be made.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "host.h"
#include "scenarios.h"

enum { PAGE = 4096, GRANULE = 2 << 20 };

static void make_device_memory(void)
{
	CUdeviceptr address;
	size_t pitch;

	NEED(cuMemAlloc(&address, 1 * PAGE));
	NEED(cuMemAllocPitch(&address, &pitch, 100, 10, 4));
	NEED(cuMemAllocManaged(&address, 2 * PAGE, CU_MEM_ATTACH_GLOBAL));
	NEED(cuMemAlloc(&address, 3 * PAGE));
	NEED(cuMemFree(address));
}

static void make_host_memory(void)
{
	void *host;

	NEED(cuMemHostAlloc(&host, 4 * PAGE,
			    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED));
	NEED(cuMemAllocHost(&host, 5 * PAGE));
	NEED_TRUE(posix_memalign(&host, PAGE, 6 * PAGE) == 0);
	NEED(cuMemHostRegister(host, 6 * PAGE, CU_MEMHOSTREGISTER_DEVICEMAP));
}

static void make_ordered_memory(void)
{
	CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
				     .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemoryPool pool;
	CUdeviceptr address;
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuMemAllocAsync(&address, 7 * PAGE, stream));
	NEED(cuMemFreeAsync(address, stream));
	NEED(cuMemPoolCreate(&pool, &properties));
	NEED(cuMemAllocFromPoolAsync(&address, 8 * PAGE, pool, stream));
	NEED(cuStreamSynchronize(stream));
}

static void make_virtual_memory(void)
{
	const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
						.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
				  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	CUmemGenericAllocationHandle handle;
	CUdeviceptr address;

	NEED(cuMemAddressReserve(&address, 3 * GRANULE, 0, 0, 0));
	NEED(cuMemCreate(&handle, GRANULE, &properties, 0));
	NEED(cuMemMap(address, GRANULE, 0, handle, 0));
	NEED(cuMemMap(address + GRANULE, GRANULE, 0, handle, 0));
	NEED(cuMemSetAccess(address, GRANULE, &access, 1));
	NEED(cuMemRelease(handle));
	NEED(cuMemUnmap(address, 2 * GRANULE));
	NEED(cuMemCreate(&handle, 2 * GRANULE, &properties, 0));
	NEED(cuMemMap(address, 2 * GRANULE, 0, handle, 0));
	NEED(cuMemSetAccess(address, 2 * GRANULE, &access, 1));
	access.flags =
		CU_MEM_ACCESS_FLAGS_PROT_READ; /* another device's right is not the first's */
	NEED(cuMemSetAccess(address, 2 * GRANULE, &access, 1));
}

static void make_arrays(void)
{
	const CUDA_ARRAY_DESCRIPTOR flat = {
		.Width = 64, .Height = 32, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 2};
	const CUDA_ARRAY3D_DESCRIPTOR deep = {.Width = 16,
					      .Height = 16,
					      .Depth = 4,
					      .Format = CU_AD_FORMAT_UNSIGNED_INT8,
					      .NumChannels = 1};
	CUarray array;

	NEED(cuArrayCreate(&array, &flat));
	NEED(cuArray3DCreate(&array, &deep));
	NEED(cuArrayDestroy(array));
}

int make_kinds(const char *what)
{
	make_device_memory();
	make_host_memory();
	make_ordered_memory();
	make_virtual_memory();
	make_arrays();
	if (!strcmp(what, "destroy"))
		NEED(cuDevicePrimaryCtxRelease(0));
	if (!strcmp(what, "wait")) {
		puts("made");
		fflush(stdout);
		(void)getchar();
	}
	return 0;
}

/*
 * Register n pages of host memory. simcuda cannot make as many device allocations, because each is
 * a mapping of its own.
 */
static void register_many(unsigned n)
{
	char *memory = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct rusage before, after;

	NEED_TRUE(memory != MAP_FAILED && getrusage(RUSAGE_SELF, &before) == 0);
	for (unsigned i = 0; i < n; i++)
		NEED(cuMemHostRegister(memory + (size_t)i * PAGE, PAGE, 0));
	NEED_TRUE(getrusage(RUSAGE_SELF, &after) == 0);
	printf("grown by %ld KiB\n", after.ru_maxrss - before.ru_maxrss);
}

/* Make many allocations, which stay or are freed at once, or registrations; see scenarios.h. */
int make_many(const char *what)
{
	unsigned n = (unsigned)strtoul(what + 1, NULL, 10);
	CUdeviceptr address;

	if (what[0] == '=')
		register_many(n);
	for (unsigned i = 0; i < n && what[0] != '='; i++) {
		NEED(cuMemAlloc(&address, 256));
		if (what[0] == '-')
			NEED(cuMemFree(address));
	}
	return 0;
}

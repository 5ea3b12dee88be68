/*
 * ranks.c - one rank of a job of RANK and WORLD_SIZE, with the collectives of collectives.cu. The
 * last rank goes wrong at the sixth collective, as ROBUST_RANK says: it skips it, calls another one
 * or one of another type, fails, or does something else for ever. The processes share the file
 * "arrived".
 */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else
#define nvtxRangePushA(text) ((void)(text))
#define nvtxRangePop()
#endif

enum { N_COLLECTIVES = 8, BAD = 5, PAGE = 4096 };

static CUfunction reduce, reduce_halves, broadcast, generic;
static CUdeviceptr arrived;
static unsigned n_ranks;

static void open_arrived(void)
{
	int file = open("arrived", O_RDWR | O_CREAT, 0600);
	void *page;

	NEED_TRUE(file >= 0 && ftruncate(file, PAGE) == 0);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	NEED_TRUE(page != MAP_FAILED);
	NEED(cuMemHostRegister(page, PAGE, CU_MEMHOSTREGISTER_DEVICEMAP));
	NEED(cuMemHostGetDevicePointer(&arrived, page, 0));
}

static void open_kernels(void)
{
	char path[2 * PATH_MAX];
	CUmodule module;

	host_kernel_path("collectives", path, sizeof(path));
	NEED(cuModuleLoad(&module, path));
	NEED(cuModuleGetFunction(&reduce, module, "ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
	NEED(cuModuleGetFunction(&reduce_halves, module,
				 "ncclDevKernel_AllReduce_Sum_f16_RING_LL"));
	NEED(cuModuleGetFunction(&generic, module, "ncclDevKernel_Generic_4"));
	NEED(cuModuleGetFunction(&broadcast, module, "ncclDevKernel_Broadcast_RING_LL"));
}

/*
 * Each place has one counter, whichever kernel is called there; a kernel other than `reduce` waits
 * for more ranks than there are.
 */
static void collect(CUfunction function, unsigned place, CUstream stream)
{
	CUdeviceptr counter = arrived + place * sizeof(unsigned);
	unsigned wanted = function == reduce ? n_ranks : UINT_MAX;
	void *parameters[] = {&counter, &wanted};

	NEED(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

/* All ranks launch a kernel of the same name, within ranges that say what it is for. */
static void collect_within(const char *range, unsigned place, CUstream stream)
{
	nvtxRangePushA(range);
	collect(generic, place, stream);
	nvtxRangePop();
}

/* Fail in a kernel of the rank's own, as its peers wait for its next collective. */
static void fail(void)
{
	NEED(host_stray(NULL));
	NEED(cuStreamSynchronize(NULL));
}

static void go_wrong(const char *way, unsigned *place, CUstream stream)
{
	if (!strcmp(way, "skip"))
		(*place)++;
	else if (!strcmp(way, "other"))
		collect(broadcast, (*place)++, stream);
	else if (!strcmp(way, "type"))
		collect(reduce_halves, (*place)++, stream);
	else if (!strcmp(way, "fault"))
		fail();
	else
		for (;;)
			(void)pause();
}

int ranks(void)
{
	unsigned rank = (unsigned)atoi(getenv("RANK"));
	const char *way = getenv("ROBUST_RANK");
	CUstream stream;

	n_ranks = (unsigned)atoi(getenv("WORLD_SIZE"));
	host_open();
	open_arrived();
	open_kernels();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	for (unsigned place = 0; place < N_COLLECTIVES; place++) {
		if (place == BAD && !strcmp(way, "range") && rank == 1 && n_ranks > 3)
			collect(generic, place++, stream);
		else if (place == BAD && !strcmp(way, "range"))
			collect_within(rank + 1 == n_ranks ? "ncclBroadcast" : "ncclAllReduce",
				       place++, stream);
		else if (place == BAD && rank + 1 == n_ranks)
			go_wrong(way, &place, stream);
		if (place < N_COLLECTIVES)
			collect(reduce, place, stream);
		if (place < BAD)
			NEED(cuStreamSynchronize(stream));
	}
	NEED(cuStreamSynchronize(stream));
	return 0;
}

/*
 * faults.c - one bad kernel on the default stream: each class of fault once, and the two cases that
 * need no guess (a single launch, and a synchronisation after each launch).
 */
#include <sys/mman.h>

#include "scenarios.h"

enum { GOOD_LAUNCHES = 10 };

static void launch_good(struct corpus *corpus, CUdeviceptr data)
{
	for (int i = 0; i < GOOD_LAUNCHES; i++)
		launch_fill(corpus, data, NULL);
}

/* The result of these launches depends on when the fault is noticed, so it is not printed. */
static CUresult finish(struct corpus *corpus, CUdeviceptr data)
{
	launch_good(corpus, data);
	return synchronize();
}

CUresult stray_store(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult stray_load(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "stray_load", NULL, VALUES(data, FAR_INDEX));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult misaligned(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "misaligned", NULL, VALUES(data, 1));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult device_assert(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "device_assert", NULL, VALUES(data));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult trap(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "trap", NULL, VALUES(data));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult illegal_instruction(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "illegal_instruction", NULL, VALUES(data));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult stack_overflow(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "stack_overflow", NULL, VALUES(data));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

/* Access 64 MiB after a block that has 128 bytes: beyond every window of shared memory. */
CUresult shared_out_of_bounds(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "shared_out_of_bounds", NULL, VALUES(data, 1 << 24));
	bad.shared_bytes = 32 * sizeof(uint32_t);
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

/*
 * This is large, so that the driver returns it to the GPU instead of keeping it for the next
 * caller.
 */
/* Return inaccessible host memory, if the device can access all of the host's memory. */
static CUdeviceptr inaccessible(struct corpus *corpus, uint32_t *on_host)
{
	int can_access = 0;
	NEED(CU(cuDeviceGetAttribute)(&can_access, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
				      corpus->device));
	if (!can_access)
		return (uintptr_t)on_host;
	return (uintptr_t)mmap(NULL, CORPUS_BUFFER_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);
}

CUresult host_pointer(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	uint32_t on_host[4] = {0};
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(inaccessible(corpus, on_host), 0));
	launch_good(corpus, data);
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult use_after_free(struct corpus *corpus)
{
	const size_t size_bytes = 64u << 20;
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUdeviceptr large = 0;
	NEED(CU(cuMemAlloc_v2)(&large, size_bytes));
	struct launch bad;
	launch_init(&bad, corpus, "use_after_free", NULL,
		    VALUES(large, size_bytes / sizeof(uint32_t)));
	bad.freed_bytes = size_bytes;
	launch_good(corpus, data);
	say("cuMemFree", CU(cuMemFree_v2)(large));
	LAUNCH_BAD(corpus, &bad);
	return finish(corpus, data);
}

CUresult first_launch(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	NEED(CU(cuCtxSynchronize)()); /* the buffer was cleared on the GPU */
	say("cuLaunchKernel", LAUNCH_BAD(corpus, &bad));
	return synchronize();
}

CUresult sync_each(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	CUresult code = CUDA_SUCCESS;
	struct launch bad;
	launch_init(&bad, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	for (int i = 1; i <= 50 && !code; i++) {
		if (i == 31)
			LAUNCH_BAD(corpus, &bad);
		else
			launch_fill(corpus, data, NULL);
		code = say("cuStreamSynchronize", CU(cuStreamSynchronize)(NULL));
	}
	return code;
}

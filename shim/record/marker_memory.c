/*
 * marker_memory.c - getting the driver to let the GPU write into our pages.
 */
#include "marker_memory.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "driver.h"

/*
 * Whatever a thread of the application is capturing, calls that are unsafe for a capture in GLOBAL
 * mode would invalidate it; RELAXED permits them to this thread for the time being.
 */
static CUstreamCaptureMode exchange_mode(CUstreamCaptureMode mode)
{
	(void)real.cuThreadExchangeStreamCaptureMode(&mode);
	return mode;
}

/*
 * The second version of the stream memory operations came with driver 11.7 and works on every
 * device; the first needs a parameter of the kernel module and is not tried.
 */
static bool has_stream_memory_operations(void)
{
	return driver_version() >= driver_calls[CALL_cuStreamWriteValue32_v2].since;
}

static bool register_words(struct marker_memory *memory)
{
	size_t size = MARKER_WORDS * sizeof(uint32_t);
	void *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		return false;
	/* A child's copy of a page that the GPU writes to is of no use to it and costs a fault. */
	(void)madvise(words, size, MADV_DONTFORK);
	if (real.cuMemHostRegister_v2(words, size, CU_MEMHOSTREGISTER_DEVICEMAP) == CUDA_SUCCESS &&
	    real.cuMemHostGetDevicePointer_v2(&memory->device_words, words, 0) == CUDA_SUCCESS) {
		memory->words = words;
		return true;
	}
	/* Left mapped if registered: the driver may still know the pages. It is once a context. */
	return false;
}

static bool create_side_streams(struct marker_memory *memory)
{
	for (int i = 0; i < SIDE_STREAMS; i++) {
		if (real.cuStreamCreate(&memory->side[i], CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
			return false;
	}
	return true;
}

void marker_memory_prepare(struct marker_memory *memory)
{
	uint32_t none = MARKER_MEMORY_NONE;
	if (__atomic_load_n(&memory->state, __ATOMIC_ACQUIRE) != none ||
	    !__atomic_compare_exchange_n(&memory->state, &none, MARKER_MEMORY_PREPARING, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	CUstreamCaptureMode mode = exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	bool ready = has_stream_memory_operations() && register_words(memory) &&
		     create_side_streams(memory);
	(void)exchange_mode(mode);
	__atomic_store_n(&memory->state, ready ? MARKER_MEMORY_READY : MARKER_MEMORY_REFUSED,
			 __ATOMIC_RELEASE);
}

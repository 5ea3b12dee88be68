/*
 * marker_memory.c - let the GPU write into our pages.
 */
#include "record/streams/marker_memory.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "record/driver/captures.h"
#include "record/driver/driver.h"

static const size_t WORDS_SIZE = (MARKER_WORDS + PROBE_WORDS) * sizeof(uint32_t);

/*
 * The second version of the stream memory operations came with driver 11.7 and works on every
 * device. The first version needs a parameter of the kernel module and is not tried.
 */
static bool has_stream_memory_operations(void)
{
	return driver_knows(CALL_cuStreamWriteValue32_v2);
}

static volatile uint32_t *map_words(void)
{
	void *words =
		mmap(NULL, WORDS_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (words == MAP_FAILED)
		return NULL;
	/* The GPU cannot use a child's copy of its pages, and copying costs a fault. */
	(void)madvise(words, WORDS_SIZE, MADV_DONTFORK);
	return words;
}

/* Register the pages. Another context's pages are registered anew: its end unregistered them. */
static CUresult register_words(struct marker_memory *memory)
{
	volatile uint32_t *words = memory->words ? memory->words : map_words();
	if (!words)
		return CUDA_ERROR_OUT_OF_MEMORY;
	void *address = (void *)(uintptr_t)words;
	CUresult result =
		real.cuMemHostRegister_v2(address, WORDS_SIZE, CU_MEMHOSTREGISTER_DEVICEMAP);
	if (result == CUDA_SUCCESS) {
		memory->words = words;
		return real.cuMemHostGetDevicePointer_v2(&memory->device_words, address, 0);
	}
	(void)munmap(address, WORDS_SIZE);
	memory->words = NULL;
	return result;
}

/* Called by one thread at a time. */
static CUresult add_side_stream(struct marker_memory *memory)
{
	CUresult result =
		real.cuStreamCreate(&memory->side[memory->n_side], CU_STREAM_NON_BLOCKING);
	if (result == CUDA_SUCCESS)
		__atomic_store_n(&memory->n_side, memory->n_side + 1, __ATOMIC_RELEASE);
	return result;
}

static CUresult prepare(struct marker_memory *memory)
{
	if (!has_stream_memory_operations())
		return CUDA_ERROR_NOT_SUPPORTED;
	CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	CUresult result = register_words(memory);
	/* The search for progress counters needs two. */
	for (int i = 0; i < N_PROBE_STREAMS && result == CUDA_SUCCESS; i++)
		result = add_side_stream(memory);
	(void)captures_exchange_mode(mode);
	return result;
}

/*
 * The runtime makes the primary context current before it is initialised. Every call in it then
 * returns CUDA_ERROR_CONTEXT_IS_DESTROYED (driver 580.159), and a later call tries again.
 */
CUresult marker_memory_prepare(struct marker_memory *memory)
{
	uint32_t none = MARKER_MEMORY_NONE;
	if (__atomic_load_n(&memory->state, __ATOMIC_ACQUIRE) != none ||
	    !__atomic_compare_exchange_n(&memory->state, &none, MARKER_MEMORY_PREPARING, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return CUDA_SUCCESS;
	CUresult result = prepare(memory);
	enum marker_memory_state state = MARKER_MEMORY_REFUSED;
	if (result == CUDA_SUCCESS)
		state = MARKER_MEMORY_READY;
	else if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED)
		state = MARKER_MEMORY_NONE;
	__atomic_store_n(&memory->state, (uint32_t)state, __ATOMIC_RELEASE);
	return result;
}

void marker_memory_grow(struct marker_memory *memory)
{
	if (__atomic_load_n(&memory->state, __ATOMIC_ACQUIRE) != MARKER_MEMORY_READY ||
	    __atomic_exchange_n(&memory->is_growing, 1, __ATOMIC_ACQUIRE))
		return;
	if (memory->n_side < MAX_SIDE_STREAMS) {
		CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
		(void)add_side_stream(memory);
		(void)captures_exchange_mode(mode);
	}
	__atomic_store_n(&memory->is_growing, 0, __ATOMIC_RELEASE);
}

/* Use atomic stores for counts that a launch may change: it was in the driver at the end. */
void marker_memory_lay_down(struct marker_memory *memory)
{
	__atomic_store_n(&memory->state, MARKER_MEMORY_NONE, __ATOMIC_RELAXED);
	__atomic_store_n(&memory->n_words, 0, __ATOMIC_RELAXED);
	memory->device_words = 0;
	for (int i = 0; i < MAX_SIDE_STREAMS; i++)
		memory->side[i] = NULL;
	__atomic_store_n(&memory->n_side, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&memory->n_early, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&memory->n_submissions, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&memory->newest_stream, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&memory->switched_at, 0, __ATOMIC_RELAXED);
}

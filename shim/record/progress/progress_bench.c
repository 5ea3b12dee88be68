/*
 * progress_bench.c - the least work there is.
 */
#include "record/progress/progress_bench.h"

#include <sched.h>

#include "record/driver/driver.h"
#include "record/host/clock.h"

static const uint64_t PATIENCE_NS = 20ull * 1000 * 1000;

enum { GATE = BENCH_STREAMS }; /* the word that a held stream waits for */

static CUdeviceptr device_word(const struct progress_bench *bench, int word)
{
	return bench->device_words + (unsigned)word * sizeof(uint32_t);
}

bool progress_bench_submit(struct progress_bench *bench, int stream, int n)
{
	for (int i = 0; i < n; i++) {
		CUresult result = real.cuStreamWriteValue32_v2(
			bench->streams[stream], device_word(bench, stream),
			++bench->written[stream], CU_STREAM_WRITE_VALUE_DEFAULT);
		if (result != CUDA_SUCCESS)
			return false;
	}
	return true;
}

bool progress_bench_fill(const struct progress_bench *bench, int stream, int n)
{
	for (int i = 0; i < n; i++) {
		CUresult result = real.cuMemsetD2D32Async(
			device_word(bench, BENCH_ROWS), FILL_PITCH_WORDS * sizeof(uint32_t), 0,
			FILL_WIDTH, FILL_ROWS, bench->streams[stream]);
		if (result != CUDA_SUCCESS)
			return false;
	}
	return true;
}

bool progress_bench_drain(const struct progress_bench *bench, int stream)
{
	uint64_t end_ns = clock_kernel_ns() + PATIENCE_NS;
	/* Pairs with the GPU's write, which has a barrier of its own. */
	while (__atomic_load_n(&bench->words[stream], __ATOMIC_ACQUIRE) != bench->written[stream]) {
		if (clock_kernel_ns() > end_ns)
			return false;
		(void)sched_yield();
	}
	return true;
}

bool progress_bench_hold(struct progress_bench *bench, int stream)
{
	__atomic_store_n(&bench->words[GATE], 0, __ATOMIC_RELEASE);
	return real.cuStreamWaitValue32_v2(bench->streams[stream], device_word(bench, GATE), 1,
					   CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
}

void progress_bench_release(struct progress_bench *bench)
{
	__atomic_store_n(&bench->words[GATE], 1, __ATOMIC_RELEASE);
}

void progress_bench_give_time(void)
{
	static const uint64_t TIME_NS = 200ull * 1000;
	for (uint64_t end_ns = clock_kernel_ns() + TIME_NS; clock_kernel_ns() < end_ns;)
		(void)sched_yield();
}

/* The tracker of a stream, with its entry. 0: it does not look like one. */
static uint64_t entry_of(const struct progress_bench *bench, const struct progress_layout *layout,
			 struct own_memory *memory, int stream, struct progress_entry *out_entry)
{
	uintptr_t place = progress_layout_place(layout, memory, (uintptr_t)bench->streams[stream]);
	uint64_t tracker = own_memory_word(memory, place);
	return progress_layout_entry(layout, memory, tracker, out_entry) ? tracker : 0;
}

bool progress_bench_newest(const struct progress_bench *bench, const struct progress_layout *layout,
			   struct own_memory *memory, int stream, uint64_t *out_tracker,
			   struct progress_pair *out_channel)
{
	struct progress_entry entry;
	uint64_t tracker = entry_of(bench, layout, memory, stream, &entry);
	if (!tracker || entry.kind != ENTRY_PLAIN || entry.pairs[0].value >> 32)
		return false;
	*out_tracker = tracker;
	*out_channel = entry.pairs[0];
	return true;
}

bool progress_bench_kernel(const struct progress_bench *bench, const struct progress_layout *layout,
			   struct own_memory *memory, int stream, struct progress_pair *out_kernel,
			   struct progress_pair *out_channel)
{
	struct progress_entry entry;
	if (!entry_of(bench, layout, memory, stream, &entry) || entry.kind != ENTRY_KERNEL)
		return false;
	*out_kernel = entry.pairs[0];
	*out_channel = entry.pairs[1];
	return true;
}

/*
 * probe_streams.c - make the least work there is.
 */
#include "record/progress/probe_streams.h"

#include <sched.h>

#include "record/driver/driver.h"
#include "record/host/clock.h"
#include "record/host/clock_wait.h"

static const uint64_t PATIENCE_NS = 20ull * 1000 * 1000;

enum { GATE = N_PROBE_STREAMS }; /* the index of its word */

/*
 * Operations of a gate. Each is a write with a barrier, for which the GPU took 0.72 us (H200,
 * driver 580.159): 512 take 0.36 ms. The host took 0.07 ms to submit them.
 */
enum { LEAST_OPERATIONS = 512, MOST_OPERATIONS = 4096, BATCH = 32 };

struct probe_streams probe_streams_on(const CUstream *streams, volatile uint32_t *words,
				      CUdeviceptr device_words)
{
	struct probe_streams probe = {.words = words,
				      .device_words = device_words,
				      .gate = {.word = &words[GATE], .opens_at = words[GATE]},
				      .n_operations = LEAST_OPERATIONS};
	for (int i = 0; i < N_PROBE_STREAMS; i++) {
		probe.streams[i] = streams[i];
		probe.written[i] = words[i];
	}
	return probe;
}

static CUdeviceptr device_word(const struct probe_streams *probe, int word)
{
	return probe->device_words + (unsigned)word * sizeof(uint32_t);
}

bool probe_streams_submit(struct probe_streams *probe, int stream, int n)
{
	for (int i = 0; i < n; i++) {
		CUresult result = real.cuStreamWriteValue32_v2(
			probe->streams[stream], device_word(probe, stream),
			++probe->written[stream], CU_STREAM_WRITE_VALUE_DEFAULT);
		if (result != CUDA_SUCCESS)
			return false;
	}
	return true;
}

bool probe_streams_fill(const struct probe_streams *probe, int stream, int n)
{
	for (int i = 0; i < n; i++) {
		CUresult result = real.cuMemsetD2D32Async(
			device_word(probe, PROBE_ROWS), FILL_PITCH_WORDS * sizeof(uint32_t), 0,
			FILL_WIDTH, FILL_ROWS, probe->streams[stream]);
		if (result != CUDA_SUCCESS)
			return false;
	}
	return true;
}

bool probe_streams_drain(const struct probe_streams *probe, int stream)
{
	struct clock_wait wait = {.patience_ns = PATIENCE_NS};
	/* Pairs with the GPU's write, which has a barrier of its own. */
	while (__atomic_load_n(&probe->words[stream], __ATOMIC_ACQUIRE) != probe->written[stream]) {
		if (clock_wait_is_over(&wait))
			return false;
		(void)sched_yield();
	}
	return true;
}

/* Write often: the last operation writes `value`, those before it one less. */
static bool write_often(const struct probe_streams *probe, int stream, uint32_t value)
{
	CUstreamBatchMemOpParams writes[BATCH];
	for (int i = 0; i < BATCH; i++)
		writes[i] = (CUstreamBatchMemOpParams){
			.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
				       .address = device_word(probe, GATE),
				       .value = value - (i < BATCH - 1)}};
	return real.cuStreamBatchMemOp_v2(probe->streams[stream], BATCH, writes, 0) == CUDA_SUCCESS;
}

bool probe_streams_hold(struct probe_streams *probe, int stream)
{
	uint32_t n_batches = probe->n_operations / BATCH;
	if (!driver_knows(CALL_cuStreamBatchMemOp_v2))
		return false;
	probe->gate.opens_at += n_batches;
	for (uint32_t n_left = n_batches; n_left-- > 0;) {
		if (!write_often(probe, stream, probe->gate.opens_at - n_left))
			return false;
	}
	return true;
}

bool probe_streams_slow_down(struct probe_streams *probe)
{
	probe->n_operations *= 2;
	return probe->n_operations <= MOST_OPERATIONS;
}

void probe_streams_give_time(void)
{
	static const uint64_t TIME_NS = 200ull * 1000;
	for (uint64_t end_ns = clock_kernel_ns() + TIME_NS; clock_kernel_ns() < end_ns;)
		(void)sched_yield();
}

/* Return a stream's tracker, with its entry. 0: it does not look like one. */
static uint64_t entry_of(const struct probe_streams *probe, const struct progress_layout *layout,
			 struct own_memory *memory, int stream, struct progress_entry *out_entry)
{
	uintptr_t place = progress_layout_place(layout, memory, (uintptr_t)probe->streams[stream]);
	uint64_t tracker = own_memory_word(memory, place);
	return progress_layout_entry(layout, memory, tracker, out_entry) ? tracker : 0;
}

bool probe_streams_newest(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, uint64_t *out_tracker,
			  struct progress_pair *out_channel)
{
	struct progress_entry entry;
	uint64_t tracker = entry_of(probe, layout, memory, stream, &entry);
	if (!tracker || entry.kind != ENTRY_PLAIN || entry.pairs[0].value >> 32)
		return false;
	*out_tracker = tracker;
	*out_channel = entry.pairs[0];
	return true;
}

bool probe_streams_kernel(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, struct progress_pair *out_kernel,
			  struct progress_pair *out_channel)
{
	struct progress_entry entry;
	if (!entry_of(probe, layout, memory, stream, &entry) || entry.kind != ENTRY_KERNEL)
		return false;
	*out_kernel = entry.pairs[0];
	*out_channel = entry.pairs[1];
	return true;
}

/*
 * test_progress_kernels.c - that our own kernels are reported only while their gate was closed, and
 * again when they have finished, on GPUs of any speed. The driver, its counters and the GPU are
 * simulated here. Time advances by a microsecond whenever it is read.
 */
#include "record/progress/progress_channels.h"

#include <string.h>

#include "record/driver/driver.h"
#include "record/host/clock.h"
#include "record/progress/progress_states.h"
#include "support/check.h"

enum { MOST_WRITES = 64 * 1024, STREAM = 7 };

struct driver real;
struct progress_layout progress_layout;

/* One stream of writes, of which the GPU has done the first n_done. A fill takes no time. */
static struct {
	uint64_t now_ns, ns_per_write, started_ns; /* when the GPU started what it has not done */
	uint32_t n_done, n_submitted;
	struct {
		uint32_t word, value;
	} writes[MOST_WRITES];
	uint32_t behind; /* the newest fill: so many writes are before it */
	uint64_t n_fills;
	uint32_t n_held, n_finished, n_asked, n_in_batches;
	bool has_no_batches, is_ending;
	uint32_t words[PROBE_WORDS];
} gpu;

static void go_on(void)
{
	while (gpu.n_done < gpu.n_submitted && gpu.started_ns + gpu.ns_per_write <= gpu.now_ns) {
		gpu.words[gpu.writes[gpu.n_done].word] = gpu.writes[gpu.n_done].value;
		gpu.n_done++;
		gpu.started_ns += gpu.ns_per_write;
	}
	if (gpu.n_done == gpu.n_submitted)
		gpu.started_ns = gpu.now_ns;
}

uint64_t clock_kernel_ns(void)
{
	gpu.now_ns += 1000;
	go_on();
	return gpu.now_ns;
}

/* The thread has a processor all the time. */
uint64_t clock_thread_ns(void)
{
	return clock_kernel_ns();
}

static void write_word(CUdeviceptr address, uint32_t value)
{
	CHECK(gpu.n_submitted < MOST_WRITES && address % sizeof(uint32_t) == 0);
	gpu.writes[gpu.n_submitted].word = (uint32_t)(address / sizeof(uint32_t));
	gpu.writes[gpu.n_submitted++].value = value;
}

static CUresult write_one(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
	CHECK((uintptr_t)stream == STREAM && flags == CU_STREAM_WRITE_VALUE_DEFAULT);
	write_word(address, value);
	return CUDA_SUCCESS;
}

static CUresult write_batch(CUstream stream, unsigned n, CUstreamBatchMemOpParams *list,
			    unsigned flags)
{
	CHECK((uintptr_t)stream == STREAM && flags == 0 && n < 256);
	for (unsigned i = 0; i < n; i++) {
		/* Nothing of ours may wait for the host. */
		CHECK_EQUAL(list[i].operation, CU_STREAM_MEM_OP_WRITE_VALUE_32);
		write_word(list[i].writeValue.address, list[i].writeValue.value);
	}
	gpu.n_in_batches += n;
	return CUDA_SUCCESS;
}

static CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
		     CUstream stream)
{
	CHECK(to && pitch && !value && width && height && (uintptr_t)stream == STREAM);
	gpu.behind = gpu.n_submitted;
	gpu.n_fills++;
	return CUDA_SUCCESS;
}

bool driver_knows(enum driver_call call)
{
	CHECK_EQUAL(call, CALL_cuStreamBatchMemOp_v2);
	return !gpu.has_no_batches;
}

uintptr_t progress_layout_place(const struct progress_layout *layout, struct own_memory *memory,
				uint64_t stream_handle)
{
	CHECK(layout && memory);
	return stream_handle;
}

uint64_t own_memory_word(struct own_memory *memory, uintptr_t address)
{
	CHECK(memory);
	return address;
}

bool progress_layout_entry(const struct progress_layout *layout, struct own_memory *memory,
			   uint64_t tracker, struct progress_entry *out_entry)
{
	CHECK(layout && memory && tracker == STREAM);
	*out_entry = (struct progress_entry){.kind = ENTRY_KERNEL,
					     .pairs = {{.object = 1, .value = gpu.n_fills},
						       {.object = 2, .value = gpu.n_fills}}};
	return true;
}

int own_memory_open(struct own_memory *memory)
{
	return memory ? 0 : -1;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK(memory);
}

struct progress_channel *progress_channels_of(struct progress_channels *channels,
					      struct own_memory *memory, uint64_t object)
{
	static struct progress_channel channel;
	CHECK(channels && memory && object == 2);
	return &channel;
}

bool progress_channels_begin_reading(struct progress_channels *channels)
{
	CHECK(channels);
	gpu.n_asked++;
	return !gpu.is_ending;
}

void progress_channels_end_reading(struct progress_channels *channels)
{
	CHECK(channels);
}

static bool has_started(uint64_t fill_number)
{
	CHECK_EQUAL(fill_number, gpu.n_fills);
	return gpu.n_done >= gpu.behind;
}

/* Check that the gate is closed exactly while the fill has not started. */
void progress_channels_check_held(const struct progress_channel *channel, uint32_t payload,
				  const struct progress_gate *gate)
{
	CHECK(channel);
	CHECK_EQUAL(progress_gate_is_closed(gate), !has_started(payload));
}

void progress_states_unfinished(const struct mapping *pages, const struct progress_pair *kernel,
				const struct progress_gate *gate)
{
	CHECK(pages && kernel->object == 1);
	CHECK_EQUAL(progress_gate_is_closed(gate), !has_started(kernel->value));
	gpu.n_held += progress_gate_is_closed(gate);
}

void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	CHECK(channels && channel && has_started(payload));
}

void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id)
{
	CHECK(pages && kernel->object == 1 && id == 0 && has_started(kernel->value));
	gpu.n_finished++;
}

/* Run on counters as another bench has left them. */
static void try_on(uint64_t ns_per_write, bool has_no_batches, bool is_ending)
{
	const CUstream streams[N_PROBE_STREAMS] = {(CUstream)(uintptr_t)STREAM};
	struct progress_channels channels = {0};
	memset(&gpu, 0, sizeof(gpu));
	memset(gpu.words, 0xff, sizeof(gpu.words));
	gpu.ns_per_write = ns_per_write;
	gpu.has_no_batches = has_no_batches;
	gpu.is_ending = is_ending;
	real.cuStreamWriteValue32_v2 = write_one;
	real.cuStreamBatchMemOp_v2 = write_batch;
	real.cuMemsetD2D32Async = fill;
	struct probe_streams probe = probe_streams_on(streams, gpu.words, 0);
	progress_kernels_try(&probe, &channels);
}

static void check_told(uint32_t n_held, uint32_t n_finished, uint32_t n_in_batches)
{
	CHECK_EQUAL(gpu.n_held, n_held);
	CHECK_EQUAL(gpu.n_finished, n_finished);
	CHECK_EQUAL(gpu.n_in_batches, n_in_batches);
}

int main(void)
{
	/* Like an H200. */
	try_on(720, false, false);
	check_told(STATE_SAMPLES, STATE_SAMPLES, STATE_SAMPLES * 512);
	/* A faster one: 512 writes are done before the test has looked, twice as many are not. */
	try_on(300, false, false);
	check_told(STATE_SAMPLES, STATE_SAMPLES, 512 + STATE_SAMPLES * 1024);
	/*
	 * One that is never slow enough: four gates, each twice as long, and nothing is reported.
	 */
	try_on(1, false, false);
	check_told(0, 0, 512 + 1024 + 2048 + 4096);
	/* One that does not reach our work in 20 ms. */
	try_on(100 * 1000, false, false);
	check_told(1, 0, 512);
	/* An old driver, and a context that is ending: tried once. */
	try_on(720, true, false);
	check_told(0, 0, 0);
	try_on(720, false, true);
	check_told(0, 0, 512);
	CHECK_EQUAL(gpu.n_asked, 1);
	return 0;
}

/*
 * test_progress_probes.c - that each channel's counter is checked once, by numbers that differ. The
 * driver, its channels and the GPU are simulated here.
 */
#include "record/progress/progress_channels.h"

#include <string.h>

#include "record/driver/driver.h"
#include "support/check.h"

enum { MOST_CHANNELS = 32 };

struct driver real;
struct progress_layout progress_layout;

/* Streams are assigned to n channels in turn, the next one to `next`. */
static struct {
	uint32_t n, next;
	uint32_t n_streams, n_alive; /* ever made, and not destroyed */
	uint32_t stops_at;           /* the GPU does not reach this stream, from 1; 0: none */
	uint32_t refuses_at;         /* the driver does not create this one */
	uint32_t payloads[MOST_CHANNELS];
	uint32_t n_checks[MOST_CHANNELS];
	struct progress_channel channels[MOST_CHANNELS];
} driver;

static CUresult make_stream(CUstream *out, unsigned flags)
{
	CHECK_EQUAL(flags, CU_STREAM_NON_BLOCKING);
	if (driver.n_streams + 1 == driver.refuses_at)
		return CUDA_ERROR_OUT_OF_MEMORY;
	driver.n_alive++;
	*out = (CUstream)(uintptr_t)++driver.n_streams;
	return CUDA_SUCCESS;
}

static CUresult destroy_stream(CUstream stream)
{
	CHECK((uintptr_t)stream > 0 && (uintptr_t)stream <= driver.n_streams);
	driver.n_alive--;
	return CUDA_SUCCESS;
}

static uint32_t channel_of(CUstream stream)
{
	return (driver.next + (uint32_t)(uintptr_t)stream - 1) % driver.n;
}

bool probe_streams_submit(struct probe_streams *probe, int stream, int n)
{
	driver.payloads[channel_of(probe->streams[stream])] += (uint32_t)n;
	return true;
}

bool probe_streams_drain(const struct probe_streams *probe, int stream)
{
	return (uintptr_t)probe->streams[stream] != driver.stops_at;
}

bool probe_streams_newest(const struct probe_streams *probe, const struct progress_layout *layout,
			  struct own_memory *memory, int stream, uint64_t *out_tracker,
			  struct progress_pair *out_channel)
{
	uint32_t channel = channel_of(probe->streams[stream]);
	CHECK(layout == &progress_layout && memory);
	*out_tracker = 1;
	*out_channel = (struct progress_pair){channel + 1, driver.payloads[channel]};
	return true;
}

struct progress_channel *progress_channels_of(struct progress_channels *channels,
					      struct own_memory *memory, uint64_t object)
{
	CHECK(channels && memory);
	return &driver.channels[object - 1];
}

static uint32_t number_of(const struct progress_channel *channel)
{
	return (uint32_t)(channel - driver.channels);
}

bool progress_channels_is_checked(const struct progress_channel *channel)
{
	return driver.n_checks[number_of(channel)] > 0;
}

bool progress_channels_begin_reading(struct progress_channels *channels)
{
	return channels != NULL;
}

void progress_channels_end_reading(struct progress_channels *channels)
{
	CHECK(channels);
}

void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload)
{
	CHECK(channels);
	CHECK_EQUAL(payload, driver.payloads[number_of(channel)]);
	driver.n_checks[number_of(channel)]++;
}

int own_memory_open(struct own_memory *memory)
{
	return memory ? 0 : -1;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK(memory);
}

/* n channels. The search has checked the first two; the rest were never used. */
static void begin(uint32_t n)
{
	memset(&driver, 0, sizeof(driver));
	driver.n = n;
	driver.next = 2;
	driver.n_checks[0] = driver.n_checks[1] = 10;
	real.cuStreamCreate = make_stream;
	real.cuStreamDestroy_v2 = destroy_stream;
}

/* Return how many channels were checked now. Each is checked once, by a number of its own. */
static uint32_t try(uint64_t only_channel)
{
	struct probe_streams probe = {0};
	struct progress_channels channels = {.counter_map.only_channel = only_channel};
	uint32_t n = 0;
	uint32_t n_before = driver.n_streams;
	progress_probes_try(&probe, &channels);
	CHECK_EQUAL(driver.n_alive, 0);
	for (uint32_t i = 2; i < driver.n; i++) {
		CHECK(driver.n_checks[i] <= 1);
		for (uint32_t other = 2; other < i && n_before == 0; other++)
			CHECK(driver.payloads[i] == 0 ||
			      driver.payloads[i] != driver.payloads[other]);
		n += driver.n_checks[i];
	}
	return n;
}

int main(void)
{
	/* The program's next stream gets the channel that it would have got anyway. */
	begin(8);
	CHECK_EQUAL(try(0), 6);
	CHECK_EQUAL(driver.n_streams, 8);
	CHECK_EQUAL(try(0), 6); /* none is checked again */
	CHECK_EQUAL(driver.n_streams, 8 + 4);
	begin(4);
	CHECK_EQUAL(try(0), 2);
	CHECK_EQUAL(driver.n_streams, 8);
	begin(2);
	CHECK_EQUAL(try(0), 0);
	CHECK_EQUAL(driver.n_streams, 4);
	begin(MOST_CHANNELS);
	CHECK_EQUAL(try(0), 8);
	begin(8);
	CHECK_EQUAL(try(77), 0);
	CHECK_EQUAL(driver.n_streams, 0);
	driver.stops_at = 3;
	CHECK_EQUAL(try(0), 2);
	CHECK_EQUAL(driver.n_streams, 3);
	begin(8);
	driver.refuses_at = 3;
	CHECK_EQUAL(try(0), 2);
	return 0;
}

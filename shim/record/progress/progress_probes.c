/*
 * progress_probes.c - make streams that live for a moment.
 */
#include "record/progress/progress_channels.h"

#include "record/driver/driver.h"

/*
 * As many as there are channels by default, four at a time: with two, four or eight channels, the
 * program's streams get the same channels as without ours.
 */
enum { MAX_PROBES = 8, PROBES_AT_ONCE = 4 };

struct probes {
	struct probe_streams probe;
	struct progress_channels *channels;
	struct own_memory memory;
	CUstream streams[MAX_PROBES];
	int n;
	int n_new; /* channels that no probe had used before */
};

/* Check that the counter shows the payload, which has finished. False: the context is ending. */
static bool check(struct probes *probes, const struct progress_pair *where)
{
	struct progress_channel *channel =
		progress_channels_of(probes->channels, &probes->memory, where->object);
	if (!channel || progress_channels_is_checked(channel))
		return true;
	if (!progress_channels_begin_reading(probes->channels))
		return false;
	progress_channels_check(probes->channels, channel, (uint32_t)where->value);
	progress_channels_end_reading(probes->channels);
	probes->n_new++;
	return true;
}

/* Try one more stream. False: the driver or the GPU does not do it. */
static bool try_one(struct probes *probes)
{
	CUstream *stream = &probes->streams[probes->n];
	if (real.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
		return false;
	probes->probe.streams[0] = *stream;
	probes->n++;
	struct progress_pair where;
	uint64_t tracker = 0;
	return probe_streams_submit(&probes->probe, 0, probes->n) &&
	       probe_streams_drain(&probes->probe, 0) &&
	       probe_streams_newest(&probes->probe, &progress_layout, &probes->memory, 0, &tracker,
				    &where) &&
	       check(probes, &where);
}

/* Try some. False: they found no new channel, or one failed. */
static bool try_some(struct probes *probes)
{
	int n_before = probes->n_new;
	for (int i = 0; i < PROBES_AT_ONCE; i++) {
		if (!try_one(probes))
			return false;
	}
	return probes->n_new > n_before;
}

void progress_probes_try(const struct probe_streams *probe, struct progress_channels *channels)
{
	struct probes probes = {.probe = *probe, .channels = channels};
	if (channels->counter_map.only_channel || own_memory_open(&probes.memory) < 0)
		return;
	while (probes.n < MAX_PROBES && try_some(&probes))
		;
	own_memory_close(&probes.memory);
	for (int i = 0; i < probes.n; i++)
		(void)real.cuStreamDestroy_v2(probes.streams[i]);
}

/*
 * progress_probes.c - streams that live for a moment.
 */
#include "record/progress/progress_probes.h"

#include "record/driver/driver.h"

/* As many as there may be channels by default, and one that comes to the first again. */
enum { MAX_PROBES = 9 };

struct probes {
	struct progress_bench bench;
	struct progress_channels *channels;
	struct own_memory memory;
	CUstream streams[MAX_PROBES];
	int n;
};

/* The channel's word is to show `payload`, which is over. False: it was checked before. */
static bool check(struct probes *probes, const struct progress_pair *where)
{
	struct progress_channel *channel =
		progress_channels_of(probes->channels, &probes->memory, where->object);
	if (!channel || progress_channels_is_checked(channel) ||
	    !progress_channels_begin_reading(probes->channels))
		return false;
	progress_channels_check(probes->channels, channel, (uint32_t)where->value);
	progress_channels_end_reading(probes->channels);
	return true;
}

/* One more. False: no other one is wanted. */
static bool try_one(struct probes *probes)
{
	CUstream *stream = &probes->streams[probes->n];
	struct progress_pair where;
	uint64_t tracker;
	if (real.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
		return false;
	probes->bench.streams[0] = *stream;
	probes->n++;
	return progress_bench_submit(&probes->bench, 0, probes->n) &&
	       progress_bench_drain(&probes->bench, 0) &&
	       progress_bench_newest(&probes->bench, &progress_layout, &probes->memory, 0, &tracker,
				     &where) &&
	       check(probes, &where);
}

void progress_probes_try(const struct progress_bench *bench, struct progress_channels *channels)
{
	struct probes probes = {.bench = *bench, .channels = channels};
	if (channels->ground.only_channel || own_memory_open(&probes.memory) < 0)
		return;
	while (probes.n < MAX_PROBES && try_one(&probes))
		;
	own_memory_close(&probes.memory);
	for (int i = 0; i < probes.n; i++)
		(void)real.cuStreamDestroy_v2(probes.streams[i]);
}

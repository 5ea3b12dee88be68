/*
 * progress_kernels.c - kernels, held back and let go.
 */
#include "record/progress/progress_kernels.h"

#include "record/progress/progress_states.h"

/* A kernel of ours: its object, with which use of that, and where it went. */
struct own_kernel {
	struct progress_pair kernel;
	struct progress_pair where;
	struct progress_channel *channel; /* NULL: not known */
};

static bool find_kernel(struct progress_bench *bench, struct progress_channels *channels,
			struct own_memory *memory, struct own_kernel *out)
{
	if (!progress_bench_kernel(bench, &progress_layout, memory, 0, &out->kernel, &out->where))
		return false;
	out->channel = progress_channels_of(channels, memory, out->where.object);
	return true;
}

/* Both words of it. False: the context is ending. */
static bool tell(struct progress_channels *channels, const struct own_kernel *own,
		 bool has_finished)
{
	const struct mapping *pages = &channels->ground.pages;
	uint32_t payload = (uint32_t)own->where.value;
	if (!progress_channels_begin_reading(channels))
		return false;
	if (has_finished) {
		progress_states_check(pages, &own->kernel, 0);
		if (own->channel)
			progress_channels_check(channels, own->channel, payload);
	} else {
		progress_states_unfinished(pages, &own->kernel);
		if (own->channel)
			progress_channels_check_held(own->channel, payload);
	}
	progress_channels_end_reading(channels);
	return true;
}

/* Behind the gate; it is opened, whatever comes of it. */
static bool try_held(struct progress_bench *bench, struct progress_channels *channels,
		     struct own_memory *memory, struct own_kernel *out)
{
	bool is_told =
		progress_bench_fill(bench, 0, 1) && find_kernel(bench, channels, memory, out);
	if (is_told) {
		progress_bench_give_time();
		is_told = tell(channels, out, false);
	}
	progress_bench_release(bench);
	return is_told;
}

/*
 * One more use of the same word: as many fills as a stream has words. The last is asked about, and
 * it alone waits for the gate: what is behind a gate takes room in a queue that others may fill
 * meanwhile. False: there is no kernel to ask about, or no end of it.
 */
static bool try_one(struct progress_bench *bench, struct progress_channels *channels,
		    struct own_memory *memory)
{
	struct own_kernel own;
	if (!progress_bench_fill(bench, 0, STREAM_STATES - 1) || !progress_bench_hold(bench, 0))
		return false;
	bool is_told = try_held(bench, channels, memory, &own);
	return progress_bench_submit(bench, 0, 1) && progress_bench_drain(bench, 0) && is_told &&
	       tell(channels, &own, true);
}

void progress_kernels_try(struct progress_bench *bench, struct progress_channels *channels)
{
	struct own_memory memory;
	if (progress_states_are_known() || own_memory_open(&memory) < 0)
		return;
	for (int i = 0; i < STATE_TRIALS && try_one(bench, channels, &memory); i++)
		;
	own_memory_close(&memory);
}

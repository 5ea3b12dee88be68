/*
 * progress_kernels.c - run kernels that are held back for a while.
 */
#include "record/progress/progress_channels.h"

#include "record/progress/progress_states.h"

/* A kernel of ours: its object, the number of that object's use, and where it went. */
struct own_kernel {
	struct progress_pair kernel;
	struct progress_pair where;
	struct progress_channel *channel; /* NULL: unknown */
};

static bool find_kernel(struct probe_streams *probe, struct progress_channels *channels,
			struct own_memory *memory, struct own_kernel *out)
{
	if (!probe_streams_kernel(probe, &progress_layout, memory, 0, &out->kernel, &out->where))
		return false;
	out->channel = progress_channels_of(channels, memory, out->where.object);
	return true;
}

/* SAMPLE_FAILED also means that the context is ending. */
enum sample { SAMPLE_TAKEN, SAMPLE_TOO_LATE, SAMPLE_FAILED };

/* Check the kernel's state and its channel's counter while it is held back. */
static enum sample sample_held(struct progress_channels *channels, const struct own_kernel *own,
			       const struct progress_gate *gate)
{
	if (!progress_channels_begin_reading(channels))
		return SAMPLE_FAILED;
	progress_states_unfinished(&channels->counter_map.pages, &own->kernel, gate);
	if (own->channel)
		progress_channels_check_held(own->channel, (uint32_t)own->where.value, gate);
	progress_channels_end_reading(channels);
	return progress_gate_is_closed(gate) ? SAMPLE_TAKEN : SAMPLE_TOO_LATE;
}

/* Check both after it has finished. */
static enum sample sample_finished(struct progress_channels *channels, const struct own_kernel *own)
{
	if (!progress_channels_begin_reading(channels))
		return SAMPLE_FAILED;
	progress_states_check(&channels->counter_map.pages, &own->kernel, 0);
	if (own->channel)
		progress_channels_check(channels, own->channel, (uint32_t)own->where.value);
	progress_channels_end_reading(channels);
	return SAMPLE_TAKEN;
}

/*
 * Use the same word once more: submit as many fills as a stream has words. Only the last is checked
 * and is after the gate: waiting work takes room in a queue that other threads may fill meanwhile.
 */
static enum sample try_one(struct probe_streams *probe, struct progress_channels *channels,
			   struct own_memory *memory)
{
	struct own_kernel own;
	if (!probe_streams_fill(probe, 0, STREAM_STATES - 1) || !probe_streams_hold(probe, 0) ||
	    !probe_streams_fill(probe, 0, 1) || !find_kernel(probe, channels, memory, &own))
		return SAMPLE_FAILED;
	probe_streams_give_time();
	enum sample held = sample_held(channels, &own, &probe->gate);
	if (!probe_streams_submit(probe, 0, 1) || !probe_streams_drain(probe, 0))
		return SAMPLE_FAILED;
	return held == SAMPLE_TAKEN ? sample_finished(channels, &own) : held;
}

void progress_kernels_try(struct probe_streams *probe, struct progress_channels *channels)
{
	struct own_memory memory;
	if (progress_states_are_known() || own_memory_open(&memory) < 0)
		return;
	bool goes_on = true;
	for (int n_taken = 0; goes_on && n_taken < STATE_SAMPLES;) {
		enum sample sample = try_one(probe, channels, &memory);
		n_taken += sample == SAMPLE_TAKEN;
		goes_on = sample == SAMPLE_TAKEN ||
			  (sample == SAMPLE_TOO_LATE && probe_streams_slow_down(probe));
	}
	own_memory_close(&memory);
}

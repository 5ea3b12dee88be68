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

static bool find_kernel(struct progress_bench *bench, struct progress_channels *channels,
			struct own_memory *memory, struct own_kernel *out)
{
	if (!progress_bench_kernel(bench, &progress_layout, memory, 0, &out->kernel, &out->where))
		return false;
	out->channel = progress_channels_of(channels, memory, out->where.object);
	return true;
}

/* TRIAL_FAILED also means that the context is ending. */
enum trial { TRIAL_TOLD, TRIAL_TOO_LATE, TRIAL_FAILED };

/* Check the kernel's state and its channel's counter while it is held back. */
static enum trial tell_held(struct progress_channels *channels, const struct own_kernel *own,
			    const struct progress_gate *gate)
{
	if (!progress_channels_begin_reading(channels))
		return TRIAL_FAILED;
	progress_states_unfinished(&channels->ground.pages, &own->kernel, gate);
	if (own->channel)
		progress_channels_check_held(own->channel, (uint32_t)own->where.value, gate);
	progress_channels_end_reading(channels);
	return progress_gate_is_closed(gate) ? TRIAL_TOLD : TRIAL_TOO_LATE;
}

/* Check both after it has finished. */
static enum trial tell_finished(struct progress_channels *channels, const struct own_kernel *own)
{
	if (!progress_channels_begin_reading(channels))
		return TRIAL_FAILED;
	progress_states_check(&channels->ground.pages, &own->kernel, 0);
	if (own->channel)
		progress_channels_check(channels, own->channel, (uint32_t)own->where.value);
	progress_channels_end_reading(channels);
	return TRIAL_TOLD;
}

/*
 * Use the same word once more: submit as many fills as a stream has words. Only the last is checked
 * and is after the gate: waiting work takes room in a queue that other threads may fill meanwhile.
 */
static enum trial try_one(struct progress_bench *bench, struct progress_channels *channels,
			  struct own_memory *memory)
{
	struct own_kernel own;
	if (!progress_bench_fill(bench, 0, STREAM_STATES - 1) || !progress_bench_hold(bench, 0) ||
	    !progress_bench_fill(bench, 0, 1) || !find_kernel(bench, channels, memory, &own))
		return TRIAL_FAILED;
	progress_bench_give_time();
	enum trial held = tell_held(channels, &own, &bench->gate);
	if (!progress_bench_submit(bench, 0, 1) || !progress_bench_drain(bench, 0))
		return TRIAL_FAILED;
	return held == TRIAL_TOLD ? tell_finished(channels, &own) : held;
}

void progress_kernels_try(struct progress_bench *bench, struct progress_channels *channels)
{
	struct own_memory memory;
	if (progress_states_are_known() || own_memory_open(&memory) < 0)
		return;
	bool goes_on = true;
	for (int n_told = 0; goes_on && n_told < STATE_TRIALS;) {
		enum trial trial = try_one(bench, channels, &memory);
		n_told += trial == TRIAL_TOLD;
		goes_on = trial == TRIAL_TOLD ||
			  (trial == TRIAL_TOO_LATE && progress_bench_slow_down(bench));
	}
	own_memory_close(&memory);
}

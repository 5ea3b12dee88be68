/*
 * driver_counters.c - compare the numbers of one submission with the counters as they were copied
 * at the failure. All of them wrap at 32 bits.
 */
#include "progress/driver_counters.h"

static bool is_set(const uint32_t *member)
{
	/* Acquire: what was copied before is_read was set is visible. */
	return __atomic_load_n(member, __ATOMIC_ACQUIRE) != 0;
}

enum counters_state driver_counters_state(const struct bundle_view *view,
					  const struct moment *moment)
{
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	enum counters_state state = COUNTERS_NONE;
	/* Work goes on while a core dump is written. A restored driver may have other counters. */
	if (moment->flags & (FAILURE_COREDUMPS | FAILURE_CHECKPOINTED))
		return COUNTERS_NONE;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		uint32_t id = view_id_at(view, JOURNAL_CHANNELS, place);
		const struct channel_row *row = view_channel(view, id);
		if (row && __atomic_load_n(&row->trust, __ATOMIC_RELAXED) == CHANNEL_REFUSED)
			return COUNTERS_REFUSED;
		if (row && is_set(&row->is_read))
			state = COUNTERS_USABLE;
	}
	return state;
}

static enum counters_say channel_says(uint32_t word, uint32_t payload)
{
	int32_t lead = (int32_t)(word - payload);
	if (lead >= 0)
		return COUNTERS_STARTED;
	return lead >= -COUNTERS_QUEUE_LENGTH ? COUNTERS_WAITING : COUNTERS_SILENT;
}

/* True if the payload is too near to a counter that is only known to within SAMPLE_SPAN. */
static bool is_within_span(uint32_t word, uint32_t payload)
{
	return word - payload < SAMPLE_SPAN;
}

/* The counter is 0 at first, then takes the values 4n + 1 and 4n + 2 for each n. */
static enum counters_say state_says(uint32_t word, uint32_t turn)
{
	int32_t lead = (int32_t)(word - (4 * (turn - 1) + 1));
	uint32_t phase = word % 4;
	if (word != 0 && phase != 1 && phase != 2)
		return COUNTERS_LIE;
	if (lead > 1)
		return COUNTERS_FINISHED;
	if (lead == 1)
		return COUNTERS_OVER;
	return lead == 0 ? COUNTERS_RUNNING : COUNTERS_WAITING;
}

/*
 * A copy on the device is a kernel of the driver's. Both counters agreed for all 1,766 such copies
 * in failures on an H200 (driver 580.159).
 */
static bool is_kernel(const struct journal_record *record)
{
	return record->work == WORK_KERNEL || record->work == WORK_COPY;
}

static enum counters_say state_of(const struct bundle_view *view,
				  const struct journal_record *record)
{
	const struct kernel_state_row *row = view_kernel_state(view, record->progress.state);
	if (!row || !is_set(&row->is_read) || !is_kernel(record) || row->stream != record->stream ||
	    record->progress.turn == 0)
		return COUNTERS_SILENT;
	return state_says(row->value, record->progress.turn);
}

/* Combine the channel's counter and the kernel's, for a moment with this code. */
static enum counters_say both_say(enum counters_say started, enum counters_say state, int32_t code)
{
	if (state == COUNTERS_SILENT || started == COUNTERS_SILENT)
		return state == COUNTERS_LIE ? COUNTERS_LIE : started;
	if (started == COUNTERS_WAITING)
		return state == COUNTERS_WAITING ? COUNTERS_WAITING : COUNTERS_LIE;
	/*
	 * The channel's counter moves first, the kernel's within a microsecond. On a running GPU,
	 * both may be read in between. No GPU was halted there in 470 failures on an H200, and the
	 * channel's counter may be ahead.
	 */
	if (state == COUNTERS_WAITING)
		return code == 0 ? COUNTERS_RUNNING : COUNTERS_LIE;
	return state == COUNTERS_OVER && code == 0 ? COUNTERS_FINISHED : state;
}

enum counters_say driver_counters_of(const struct bundle_view *view, const struct moment *moment,
				     const struct trusted_channels *trust,
				     const struct journal_record *record)
{
	uint32_t payload = record->progress.payload;
	const struct channel_row *channel =
		trusted_channels_row(view, trust, record->progress.channel);
	if (!channel || payload == 0)
		return COUNTERS_SILENT;
	enum counters_say state = state_of(view, record);
	if (state == COUNTERS_SILENT && is_within_span(channel->started, payload) &&
	    trusted_channels_is_tried(trust, record->progress.channel))
		return COUNTERS_SILENT;
	return both_say(channel_says(channel->started, payload), state, moment->code);
}

bool driver_counters_deny_finish(const struct bundle_view *view,
				 const struct journal_record *record)
{
	enum counters_say state =
		record->progress.channel != 0 ? state_of(view, record) : COUNTERS_SILENT;
	return state == COUNTERS_WAITING || state == COUNTERS_RUNNING;
}

bool driver_counters_show_started(enum counters_say said)
{
	return said == COUNTERS_STARTED || said == COUNTERS_RUNNING || said == COUNTERS_OVER ||
	       said == COUNTERS_FINISHED;
}

/*
 * trusted_channels.c - count the checks of channels, and compare counters with finished work.
 */
#include "progress/trusted_channels.h"

#include "progress/stream_counts.h"
#include "view/record_walk.h"

static bool is_read(const struct channel_row *row)
{
	/* Acquire: what was copied before is_read was set is visible. */
	return row && __atomic_load_n(&row->is_read, __ATOMIC_ACQUIRE) != 0;
}

static uint32_t trust_of(const struct channel_row *row)
{
	return __atomic_load_n(&row->trust, __ATOMIC_RELAXED);
}

static uint32_t checks_of(const struct channel_row *row)
{
	return __atomic_load_n(&row->n_checks, __ATOMIC_RELAXED);
}

/* True if the counter shows less than at its newest check: it went back, or was cleared. */
static bool has_gone_back(const struct channel_row *row)
{
	uint32_t checked = __atomic_load_n(&row->checked, __ATOMIC_RELAXED);
	return checked != 0 && (int32_t)(row->started - checked) < 0;
}

static void list_channels(const struct bundle_view *view, const struct moment *moment,
			  struct trusted_channels *trust)
{
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		uint32_t id = view_id_at(view, JOURNAL_CHANNELS, place);
		const struct channel_row *row = view_channel(view, id);
		if (!is_read(row))
			continue;
		trust->is_any = trust->is_any || trust_of(row) == CHANNEL_TRUSTED;
		/* Newer checks and newer finished work do not contradict an old reading. */
		trust->is_contradicted =
			trust->is_contradicted || (!moment->counters_ns && has_gone_back(row));
		if (trust_of(row) == CHANNEL_UNCHECKED && trust->n < TRIED_CHANNELS_MAX)
			trust->channels[trust->n++] = (struct tried_channel){.id = id};
	}
}

static struct tried_channel *find(struct trusted_channels *trust, uint32_t id)
{
	for (uint32_t i = 0; i < trust->n; i++) {
		if (trust->channels[i].id == id)
			return &trust->channels[i];
	}
	return NULL;
}

static void raise(uint32_t *highest, uint32_t payload)
{
	if ((int32_t)(payload - *highest) > 0)
		*highest = payload;
}

/* True if a sync or a marker proves it finished, without counters. */
static bool is_finished(const struct stream_row *stream, const struct moment *moment,
			const struct journal_record *record)
{
	return stream && record->ordinal != 0 && !(record->flags & RECORD_UNORDERED) &&
	       (record->ordinal <= stream_counts_at(stream, moment).synced ||
		record->ordinal <= view_live(&stream->marked));
}

/*
 * True if a marker after it has landed, on the same channel. A copy may be on another channel than
 * the work after it on its stream, and a graph on several.
 */
static bool is_landed(const struct stream_row *stream, const struct journal_record *record)
{
	return record->work == WORK_KERNEL && record->flags & RECORD_MARKED_INLINE &&
	       record->ordinal <= view_live(&stream->marked);
}

/* True if the kernel's own counter was read, too. */
static bool has_state(const struct bundle_view *view, const struct journal_record *record)
{
	const struct kernel_state_row *row = view_kernel_state(view, record->progress.state);
	return row && row->stream == record->stream &&
	       __atomic_load_n(&row->is_read, __ATOMIC_ACQUIRE) != 0;
}

static void note(struct trusted_channels *trust, const struct bundle_view *view,
		 const struct moment *moment, const struct journal_record *record)
{
	const struct stream_row *stream = view_stream(view, record->stream);
	uint32_t payload = record->progress.payload;
	if (record->kind != RECORD_SUBMISSION || record->result != 0 || payload == 0)
		return;
	struct tried_channel *channel = find(trust, record->progress.channel);
	if (!channel)
		return;
	channel->has_states = channel->has_states || has_state(view, record);
	if (!is_finished(stream, moment, record))
		return;
	if (!channel->has_finished)
		channel->finished = channel->landed = payload;
	channel->has_finished = true;
	raise(&channel->finished, payload);
	raise(&channel->landed, is_landed(stream, record) ? payload + 1 : payload);
}

static void read_rings(const struct bundle_view *view, const struct moment *moment,
		       struct trusted_channels *trust)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		note(trust, view, moment, &walk.record);
}

/* Count the recorder's checks of all channels of a context. */
static uint64_t count_checks(const struct bundle_view *view, uint32_t context)
{
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	uint64_t n = 0;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		const struct channel_row *row =
			view_channel(view, view_id_at(view, JOURNAL_CHANNELS, place));
		if (row && row->context == context && trust_of(row) != CHANNEL_REFUSED)
			n += checks_of(row);
	}
	return n;
}

/* True if the counter passes the trial: it shows a number that no check has covered yet. */
static bool has_passed(const struct tried_channel *channel, const struct channel_row *row)
{
	uint32_t checked = __atomic_load_n(&row->checked, __ATOMIC_RELAXED);
	bool is_new = checks_of(row) == 0 || (checked != 0 && row->started != checked);
	return channel->has_finished && is_new && row->started - channel->landed <= SAMPLE_SPAN;
}

static void judge(const struct bundle_view *view, const struct moment *moment,
		  struct tried_channel *channel, struct trusted_channels *trust)
{
	const struct channel_row *row = view_channel(view, channel->id);
	uint64_t n_checks = row ? count_checks(view, row->context) : 0;
	if (!row)
		return;
	if (!moment->counters_ns && channel->has_finished &&
	    (int32_t)(row->started - channel->finished) < 0)
		trust->is_contradicted = true;
	channel->is_trusted = checks_of(row) > 0 && n_checks >= CHECKS_OF_TRUST;
	channel->has_sample = !channel->is_trusted && channel->has_states &&
			      n_checks + 1 >= CHECKS_OF_TRUST && has_passed(channel, row);
	channel->is_trusted = channel->is_trusted || channel->has_sample;
	trust->is_any = trust->is_any || channel->is_trusted;
}

void trusted_channels_find(const struct bundle_view *view, const struct moment *moment,
			   struct trusted_channels *out)
{
	*out = (struct trusted_channels){0};
	list_channels(view, moment, out);
	if (out->n > 0)
		read_rings(view, moment, out);
	for (uint32_t i = 0; i < out->n; i++)
		judge(view, moment, &out->channels[i], out);
}

static const struct tried_channel *find_trusted(const struct trusted_channels *trust, uint32_t id)
{
	for (uint32_t i = 0; i < trust->n; i++) {
		if (trust->channels[i].id == id && trust->channels[i].is_trusted)
			return &trust->channels[i];
	}
	return NULL;
}

const struct channel_row *trusted_channels_row(const struct bundle_view *view,
					       const struct trusted_channels *trust, uint32_t id)
{
	const struct channel_row *row = view_channel(view, id);
	if (!is_read(row))
		return NULL;
	return trust_of(row) == CHANNEL_TRUSTED || find_trusted(trust, id) ? row : NULL;
}

uint32_t trusted_channels_checks(const struct bundle_view *view,
				 const struct trusted_channels *trust, uint32_t id)
{
	const struct channel_row *row = view_channel(view, id);
	const struct tried_channel *tried = find_trusted(trust, id);
	return row ? checks_of(row) + (tried && tried->has_sample ? 1 : 0) : 0;
}

bool trusted_channels_are_past(const struct bundle_view *view, const struct trusted_channels *trust,
			       uint32_t id, uint32_t payload)
{
	const struct channel_row *row = trusted_channels_row(view, trust, id);
	return row && (row->started != payload ||
		       trusted_channels_checks(view, trust, id) >= BELIEF_OF_ONE);
}

bool trusted_channels_is_tried(const struct trusted_channels *trust, uint32_t id)
{
	const struct tried_channel *tried = find_trusted(trust, id);
	return tried && tried->has_sample;
}

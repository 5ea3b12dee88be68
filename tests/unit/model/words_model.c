/*
 * words_model.c - see words_model.h.
 */
#include "model/words_model.h"

#include "model/random_pick.h"
#include "progress/trusted_channels.h"
#include "support/words_builder.h"

static void add_rows(struct words_model *words, uint32_t n_streams)
{
	/* Some begin just before the numbers wrap. */
	uint32_t start =
		random_pick(words->random, 2) ? UINT32_MAX - random_pick(words->random, 20) : 1;
	for (uint32_t c = 0; c < WORDS_CHANNELS; c++)
		words->channels[c] = (struct model_channel){
			.id = builder_channel(words->builder, 1, 0),
			.newest = start,
			.started = start,
			.start = start,
			.timed = start,
		};
	for (uint32_t s = 0; s < n_streams; s++) {
		for (uint32_t i = 0; i < WORDS_STATES; i++)
			words->states[s][i].id = builder_kernel_state(words->builder, s + 1, 0);
	}
}

void words_model_begin(struct words_model *words, enum words_kind kind,
		       struct bundle_builder *builder, uint64_t *random, uint32_t n_streams)
{
	*words = (struct words_model){.kind = kind,
				      .builder = builder,
				      .random = random,
				      .n_channels = WORDS_MAX_STREAMS};
	if (kind == WORDS_MODEL_NONE)
		return;
	if (kind == WORDS_MODEL_SHARED)
		words->n_channels = 1 + random_pick(random, 2);
	add_rows(words, n_streams);
}

/* Copies go to a channel that all streams share. */
static struct model_channel *channel_of(struct words_model *words, uint32_t s, uint8_t work)
{
	return &words->channels[work == WORK_COPY ? WORDS_COPY_CHANNEL : s % words->n_channels];
}

/* A stream's states are used in turn, from the second on. */
static void take_state(struct words_model *words, uint32_t s, struct journal_record *record,
		       struct work_numbers *out)
{
	uint32_t kernel = ++words->n_kernels[s];
	out->state = &words->states[s][kernel % WORDS_STATES];
	out->first_value = 4 * (kernel / WORDS_STATES) + 1;
	if (random_pick(words->random, 100) < 40)
		return;
	record->progress.state = out->state->id;
	record->progress.turn = kernel / WORDS_STATES + 1;
}

void words_model_submit(struct words_model *words, uint32_t s, struct journal_record *record,
			struct work_numbers *out)
{
	*out = (struct work_numbers){0};
	if (words->kind == WORDS_MODEL_NONE || record->work == WORK_HOST_FUNC)
		return;
	out->channel = channel_of(words, s, record->work);
	out->n_pieces = random_pick(words->random, 4) ? 1 : 1 + random_pick(words->random, 3);
	out->first_payload = out->channel->newest + 1;
	out->channel->newest += out->n_pieces;
	out->payload = out->channel->newest;
	if (record->work == WORK_KERNEL)
		take_state(words, s, record, out);
	if (random_pick(words->random, 100) < 15)
		return;
	record->progress.channel = out->channel->id;
	record->progress.payload = out->payload;
}

bool words_model_can_start(const struct work_numbers *work)
{
	return !work->channel || work->channel->started + 1 == work->first_payload;
}

void words_model_start(const struct work_numbers *work)
{
	if (!work->channel)
		return;
	/* A kernel starts with its last payload: what it needs is loaded before. */
	work->channel->started = work->state ? work->payload : work->first_payload;
	if (work->state)
		work->state->value = work->first_value;
}

/* Payloads are never 0: where the marker's would be 0, the channel has no marker. */
void words_model_submit_marker(struct work_numbers *work)
{
	if (work->channel && work->channel->newest + 1 != 0)
		work->marker = ++work->channel->newest;
}

bool words_model_can_mark(const struct work_numbers *work)
{
	return !work->marker || work->channel->started + 1 == work->marker;
}

void words_model_mark(const struct work_numbers *work)
{
	if (work->marker)
		work->channel->started = work->marker;
}

bool words_model_step(const struct work_numbers *work)
{
	if (!work->channel || work->state ||
	    work->channel->started - work->first_payload >= work->n_pieces - 1)
		return false;
	work->channel->started++;
	return true;
}

void words_model_finish(const struct work_numbers *work)
{
	if (work->state && work->state->value == work->first_value)
		work->state->value++;
}

void words_model_tick(struct words_model *words, uint64_t gpu_ns)
{
	for (uint32_t c = 0; c < WORDS_CHANNELS; c++) {
		struct model_channel *channel = &words->channels[c];
		if (channel->timed == channel->started)
			continue;
		channel->timed = channel->started;
		channel->started_ns = gpu_ns;
	}
}

static bool is_behind(struct words_model *words, const struct journal_record *record)
{
	if (record->commit == 0 || record->kind != RECORD_SUBMISSION || record->result != 0 ||
	    record->progress.channel == 0 || record->progress.payload == 0)
		return false;
	const struct stream_row *stream = builder_stream_row(words->builder, record->stream);
	uint32_t started = builder_channel_row(words->builder, record->progress.channel)->started;
	return (record->ordinal <= stream->synced || record->ordinal <= stream->marked) &&
	       (int32_t)(started - record->progress.payload) < 0;
}

/* Does a counter lag behind what the journal knows to be finished? */
static bool is_behind_journal(struct words_model *words)
{
	for (uint32_t slot = 0; slot < words->builder->n_rings; slot++) {
		const struct journal_record *records =
			(const struct journal_record *)(const void *)(words->builder->rings[slot]
									      .bytes +
								      sizeof(struct file_header));
		for (uint64_t i = 0; i < words->builder->ring_capacity; i++) {
			if (is_behind(words, &records[i]))
				return true;
		}
	}
	return false;
}

/* Move some counters away from their true values. */
static void lie(struct words_model *words)
{
	for (uint32_t c = 0; c < WORDS_CHANNELS; c++) {
		struct channel_row *row =
			builder_channel_row(words->builder, words->channels[c].id);
		uint32_t distance = 1 + random_pick(words->random, 6);
		bool is_behind = random_pick(words->random, 3) > 0;
		row->trust = CHANNEL_TRUSTED;
		if (random_pick(words->random, 2))
			row->started += is_behind ? 0 - distance : distance;
	}
	if (!is_behind_journal(words))
		builder_channel_row(words->builder, words->channels[0].id)->trust = CHANNEL_REFUSED;
}

/* The recorder compares the clocks at waits, if at all, and reads a start a while after it. */
static void compare_clocks(struct words_model *words, struct channel_row *row)
{
	uint64_t ago_ns = (uint64_t)random_pick(words->random, 1000) * 2000;
	uint32_t delay_ns = random_pick(words->random, 2) ? random_pick(words->random, 600000) : 0;
	if (random_pick(words->random, 3) == 0)
		return;
	uint64_t now_ns = words->builder->time_ns;
	row->compared_ns = now_ns > ago_ns ? now_ns - ago_ns : 1;
	row->apart_ns = (int64_t)(delay_ns - MODEL_CLOCKS_APART);
	if (words->kind == WORDS_MODEL_LYING && random_pick(words->random, 4) == 0)
		row->apart_ns -= random_pick(words->random, 1000000);
}

/*
 * Write what the recorder knows of the channel: enough checks, or too few. The newest of too few
 * checks is of any number up to the channel's counter. The recorder may have missed a check of its
 * own that would have been enough.
 */
static void write_channel(struct words_model *words, const struct model_channel *channel)
{
	struct channel_row *row = builder_channel_row(words->builder, channel->id);
	bool is_trusted = random_pick(words->random, 3) > 0;
	row->started = channel->started;
	row->started_gpu_ns = channel->started_ns;
	compare_clocks(words, row);
	row->trust = is_trusted ? CHANNEL_TRUSTED : CHANNEL_UNCHECKED;
	if (is_trusted) {
		row->n_checks = words->is_ahead ? BELIEF_OF_ONE - 1 : BELIEF_OF_ONE;
		row->started += words->is_ahead && random_pick(words->random, 2) ? 1 : 0;
		return;
	}
	row->n_checks = random_pick(words->random, 2) ? 0 : random_pick(words->random, 3);
	row->checked = row->n_checks ? channel->started - random_pick(words->random, 3) : 0;
	if (words->has_stuck && random_pick(words->random, 2)) {
		row->n_checks = 0;
		row->checked = 0;
		row->started = channel->start;
	}
}

void words_model_write(struct words_model *words)
{
	if (words->kind == WORDS_MODEL_NONE)
		return;
	for (uint32_t c = 0; c < WORDS_CHANNELS; c++)
		write_channel(words, &words->channels[c]);
	for (uint32_t s = 0; s < WORDS_MAX_STREAMS; s++) {
		for (uint32_t i = 0; i < WORDS_STATES && words->states[s][i].id != 0; i++)
			builder_kernel_state_row(words->builder, words->states[s][i].id)->value =
				words->states[s][i].value;
	}
	if (words->kind == WORDS_MODEL_LYING)
		lie(words);
}

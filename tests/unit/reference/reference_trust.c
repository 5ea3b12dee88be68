/*
 * reference_trust.c - see reference_trust.h.
 */
#include "reference/reference_trust.h"

#include "progress/trusted_channels.h"

bool trust_is_below(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static const struct channel_row *channel_read(const struct story *story, uint32_t id)
{
	const struct channel_row *row = view_channel(story->view, id);
	return row && row->is_read ? row : NULL;
}

const struct kernel_state_row *trust_state(const struct story *story,
					   const struct journal_record *work)
{
	const struct kernel_state_row *row = view_kernel_state(story->view, work->progress.state);
	bool is_kernel = work->work == WORK_KERNEL || work->work == WORK_COPY;
	return row && row->is_read && row->stream == work->stream && is_kernel ? row : NULL;
}

static bool is_numbered(const struct journal_record *work, uint32_t channel)
{
	return work->result == 0 && work->progress.payload != 0 &&
	       work->progress.channel == channel;
}

/* Facts that try a channel's counter. */
struct trial {
	bool has_finished, has_state;
	uint32_t finished; /* the highest number that is proven finished */
	uint32_t landed;   /* the same, with landed markers of kernels */
};

static void add_finished(const struct story *story, const struct journal_record *work,
			 struct trial *trial)
{
	uint32_t number = work->progress.payload;
	bool is_landed = work->work == WORK_KERNEL && work->flags & RECORD_MARKED_INLINE &&
			 work->ordinal <= view_stream(story->view, work->stream)->marked;
	uint32_t landed = is_landed ? number + 1 : number;
	if (!trial->has_finished || trust_is_below(trial->finished, number))
		trial->finished = number;
	if (!trial->has_finished || trust_is_below(trial->landed, landed))
		trial->landed = landed;
	trial->has_finished = true;
}

static struct trial trial_of(const struct story *story, uint32_t channel)
{
	struct trial trial = {0};
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		if (!is_numbered(work, channel))
			continue;
		trial.has_state |= trust_state(story, work) != NULL;
		if (work->ordinal <= story->proven[work->stream])
			add_finished(story, work, &trial);
	}
	return trial;
}

static uint32_t checks_in_context(const struct story *story, uint32_t context)
{
	const struct channel_row *row = NULL;
	uint32_t n = 0;
	for (uint32_t id = 1; (row = view_channel(story->view, id)); id++)
		n += row->context == context ? row->n_checks : 0;
	return n;
}

static bool is_checked_enough(const struct story *story, const struct channel_row *row)
{
	return row->trust == CHANNEL_TRUSTED ||
	       (row->n_checks > 0 && checks_in_context(story, row->context) >= CHECKS_OF_TRUST);
}

static bool passes_trial(const struct story *story, const struct channel_row *row, uint32_t id)
{
	struct trial trial = trial_of(story, id);
	bool is_new = row->n_checks == 0 || (row->checked != 0 && row->started != row->checked);
	return trial.has_finished && trial.has_state && is_new &&
	       !trust_is_below(row->started, trial.landed) &&
	       row->started - trial.landed <= SAMPLE_SPAN &&
	       checks_in_context(story, row->context) + 1 >= CHECKS_OF_TRUST;
}

bool trust_channel(const struct story *story, uint32_t id, bool *is_tried)
{
	const struct channel_row *row = channel_read(story, id);
	*is_tried = row && !is_checked_enough(story, row) && passes_trial(story, row, id);
	return row && (*is_tried || is_checked_enough(story, row));
}

bool trust_any(const struct story *story)
{
	const struct channel_row *row = NULL;
	bool is_any = false;
	bool is_tried = false;
	if (story->failure->flags & (FAILURE_COREDUMPS | FAILURE_CHECKPOINTED))
		return false;
	for (uint32_t id = 1; (row = view_channel(story->view, id)); id++) {
		if (row->trust == CHANNEL_REFUSED)
			return false;
		is_any |= trust_channel(story, id, &is_tried);
	}
	return is_any;
}

bool trust_is_contradicted(const struct story *story)
{
	for (uint32_t id = 1; view_channel(story->view, id); id++) {
		const struct channel_row *row = channel_read(story, id);
		struct trial trial = trial_of(story, id);
		if (row && row->checked != 0 && trust_is_below(row->started, row->checked))
			return true;
		if (row && trial.has_finished && trust_is_below(row->started, trial.finished))
			return true;
	}
	return false;
}

/*
 * reference_late.c - rule 15g.
 */
#include "reference/reference_late.h"

#include "reference/reference_time.h"
#include "reference/reference_trust.h"
#include "reference/reference_words.h"
#include "view/record_walk.h"

static bool is_finished(const struct story *story, const struct journal_record *work)
{
	return work->kind == RECORD_SUBMISSION && work->result == 0 && work->ordinal != 0 &&
	       work->sequence <= story->failure->sequence && !order_is_unfinished(story, work);
}

/* Was this work covered by the wait? One for a whole context covers what its own thread submitted.
 */
static bool covers(const struct journal_record *wait, const struct journal_record *work)
{
	if (wait->stream != 0)
		return wait->stream == work->stream && wait->ordinal >= work->ordinal;
	return wait->tid == work->tid && wait->sequence >= work->sequence;
}

static bool is_wait(const struct journal_record *record)
{
	return record->kind == RECORD_SYNC && record->result == 0;
}

/* Was there a wait for the work that had returned before this submission? */
static bool is_waited_before(const struct story *story, const struct journal_record *work,
			     uint64_t sequence)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk))
		if (is_wait(&walk.record) && covers(&walk.record, work) &&
		    walk.record.sequence < sequence)
			return true;
	return false;
}

static bool is_finished_kernel(const struct story *story, const struct journal_record *record)
{
	return record->work == WORK_KERNEL && is_finished(story, record);
}

/* Has a kernel finished that was submitted after a wait for this work? */
static bool went_on(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk))
		if (is_finished_kernel(story, &walk.record) &&
		    is_waited_before(story, work, walk.record.sequence))
			return true;
	return false;
}

/* Did one go on after a kernel that was submitted after a wait for this work? */
static bool went_on_twice(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk))
		if (is_finished_kernel(story, &walk.record) &&
		    is_waited_before(story, work, walk.record.sequence) &&
		    went_on(story, &walk.record))
			return true;
	return false;
}

static bool is_followed_by_two(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	uint32_t n = 0;
	while (record_walk_next(&walk))
		if (is_finished_kernel(story, &walk.record) && walk.record.stream == work->stream &&
		    walk.record.ordinal > work->ordinal && !(walk.record.flags & RECORD_OVERLAPS))
			n++;
	return n >= 2;
}

/* Return the newest submission when the first wait for the work had returned, or at the end. */
static uint64_t end_of(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	uint64_t end = story->failure->sequence;
	while (record_walk_next(&walk)) {
		const struct journal_record *wait = &walk.record;
		if (is_wait(wait) && covers(wait, work) && wait->sequence >= work->sequence &&
		    wait->sequence < end)
			end = wait->sequence;
	}
	return end;
}

/* True if the record shows that this other work was not beside the work. */
static bool is_apart(const struct story *story, const struct journal_record *other,
		     const struct journal_record *work)
{
	if (other->sequence > end_of(story, work) || is_waited_before(story, other, work->sequence))
		return true;
	return other->flags & RECORD_SYNCHRONOUS && other->result == 0 && other->tid == work->tid &&
	       other->sequence < work->sequence;
}

/* True if a record shows the ordinal of another stream apart, or a wait for more of that stream. */
static bool is_known_apart(const struct story *story, uint32_t stream, uint64_t ordinal,
			   const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->stream != stream)
			continue;
		if (is_wait(record) && record->ordinal >= ordinal &&
		    record->sequence < work->sequence)
			return true;
		if (record->kind == RECORD_SUBMISSION && record->ordinal == ordinal &&
		    is_apart(story, record, work))
			return true;
	}
	return false;
}

static bool was_alone(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *other = &walk.record;
		bool has_place = other->ordinal != 0 && view_stream(story->view, other->stream);
		if (other->kind == RECORD_SUBMISSION && other->stream != work->stream &&
		    (!has_place || !is_apart(story, other, work)))
			return false;
	}
	for (uint32_t id = 1; id <= story->view->tables[JOURNAL_STREAMS].n_rows; id++) {
		const struct stream_row *row = view_stream(story->view, id);
		uint64_t submitted = row->submitted;
		for (uint64_t i = row->before + 1; id != work->stream && i <= submitted; i++)
			if (!is_known_apart(story, id, i, work))
				return false;
	}
	return true;
}

/* Return the time of the first record that this thread wrote after its record; 0: none. */
static uint64_t next_time(const struct story *story, const struct journal_record *record)
{
	struct record_walk walk = {.view = story->view};
	uint64_t time_ns = 0;
	uint64_t commit = UINT64_MAX;
	while (record_walk_next(&walk))
		if (walk.record.tid == record->tid && walk.record.commit > record->commit &&
		    walk.record.commit < commit && walk.record.kind != RECORD_ARGUMENTS) {
			commit = walk.record.commit;
			time_ns = walk.record.time_ns;
		}
	return time_ns;
}

static bool is_within_margin(const struct journal_record *work, uint64_t time_ns)
{
	return time_ns >= work->time_ns && time_ns < work->time_ns + 250000;
}

static bool was_quick(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		bool is_behind = work->work == WORK_KERNEL && record->kind == RECORD_SUBMISSION &&
				 record->work == WORK_KERNEL && record->result == 0 &&
				 !(record->flags & (RECORD_UNORDERED | RECORD_OVERLAPS)) &&
				 record->ordinal > work->ordinal &&
				 is_within_margin(work, next_time(story, record));
		bool is_waited = is_wait(record) && record->ordinal >= work->ordinal &&
				 is_within_margin(work, record->time_ns);
		if (record->stream == work->stream && (is_behind || is_waited))
			return true;
	}
	return false;
}

/* Did the GPU start this behind the work, on its channel, and only after the end of the work? */
static bool is_behind(const struct story *story, const struct journal_record *next,
		      const struct journal_record *work)
{
	uint64_t returned = next_time(story, work);
	bool is_ordered = next->stream == work->stream && next->ordinal > work->ordinal &&
			  !(next->flags & RECORD_OVERLAPS);
	bool is_marked =
		work->work == WORK_KERNEL && work->flags & RECORD_MARKED_INLINE && returned != 0;
	bool is_unknown = work->progress.channel == 0 && next->work == WORK_KERNEL;
	bool is_there = work->progress.channel != 0 &&
			next->progress.channel == work->progress.channel &&
			(int32_t)(next->progress.payload - work->progress.payload) > 0;
	return next->result == 0 && words_surely_started(story, next) &&
	       ((is_ordered && (is_there || is_unknown)) ||
		(is_there && is_marked && next->time_ns >= returned));
}

static bool channel_went_on_twice(const struct story *story, const struct journal_record *work)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		for (uint32_t k = 0; k < story->n_work; k++)
			if (is_behind(story, &story->work[i], work) &&
			    is_behind(story, &story->work[k], &story->work[i]))
				return true;
	return false;
}

/* 15h: had the work ended so soon, by the newest start of this channel? */
static bool ended_within(const struct story *story, const struct journal_record *work,
			 uint32_t channel, uint64_t margin)
{
	bool is_tried = false;
	if (!trust_channel(story, channel, &is_tried))
		return false;
	const struct channel_row *row = view_channel(story->view, channel);
	int64_t end = time_latest(story, row->context, row->started_gpu_ns);
	return end - (int64_t)row->started_gpu_ns >= time_least_distance(story) &&
	       end >= (int64_t)work->time_ns && end < (int64_t)(work->time_ns + margin);
}

static bool ended_too_soon(const struct story *story, const struct journal_record *work)
{
	uint32_t channel = work->progress.channel;
	const struct channel_row *row = view_channel(story->view, channel);
	for (uint32_t i = 0; i < story->n_work; i++)
		if (is_behind(story, &story->work[i], work) &&
		    ended_within(story, work, story->work[i].progress.channel,
				 story->work[i].work == WORK_KERNEL ? 1000000 : 250000))
			return true;
	return work->work == WORK_KERNEL && work->flags & RECORD_MARKED_INLINE && row &&
	       work->ordinal <= view_stream(story->view, work->stream)->marked &&
	       (int32_t)(row->started - work->progress.payload) >= 1 &&
	       ended_within(story, work, channel, 250000);
}

static bool is_cleared(const struct story *story, const struct journal_record *work)
{
	return is_followed_by_two(story, work) || went_on_twice(story, work) ||
	       was_quick(story, work) ||
	       (story->has_counters &&
		(channel_went_on_twice(story, work) || ended_too_soon(story, work))) ||
	       (work->work != WORK_GRAPH && was_alone(story, work));
}

static bool may_run(const struct reference_clues *clues, const struct journal_record *work,
		    uint64_t pc)
{
	if (reference_is_placed(clues, pc))
		return reference_runs(clues, work, pc);
	return work->work == WORK_GRAPH || work->work == WORK_KERNEL;
}

static bool may_run_any(const struct reference_clues *clues, const struct journal_record *work)
{
	for (uint32_t i = 0; i < clues->n_late_pcs; i++)
		if (may_run(clues, work, clues->late_pcs[i]))
			return true;
	return false;
}

bool late_is_one(const struct story *story, const struct journal_record *work)
{
	return is_finished(story, work) && may_run_any(&story->clues, work) &&
	       !is_cleared(story, work);
}

/*
 * reference_late.c - rule 15g.
 */
#include "reference/reference_late.h"

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

/* Has a kernel finished that was submitted after the wait? */
static bool went_on(const struct story *story, const struct journal_record *wait)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk))
		if (walk.record.work == WORK_KERNEL && walk.record.sequence > wait->sequence &&
		    is_finished(story, &walk.record))
			return true;
	return false;
}

static bool is_settled(const struct story *story, const struct journal_record *work)
{
	struct record_walk walk = {.view = story->view};
	while (record_walk_next(&walk))
		if (walk.record.kind == RECORD_SYNC && walk.record.result == 0 &&
		    covers(&walk.record, work) && went_on(story, &walk.record))
			return true;
	return false;
}

static bool runs_any(const struct reference_clues *clues, const struct journal_record *work)
{
	for (uint32_t i = 0; i < clues->n_late_pcs; i++)
		if (reference_runs(clues, work, clues->late_pcs[i]))
			return true;
	return false;
}

bool late_is_any(const struct story *story)
{
	struct record_walk walk = {.view = story->view};
	if (story->clues.n_late_pcs == 0)
		return false;
	while (record_walk_next(&walk))
		if (is_finished(story, &walk.record) && runs_any(&story->clues, &walk.record) &&
		    !is_settled(story, &walk.record))
			return true;
	return false;
}

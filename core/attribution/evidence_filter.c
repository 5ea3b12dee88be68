/*
 * evidence_filter.c - read the progress with all that is known, and again without what does not
 * fit.
 */
#include "attribution/evidence_filter.h"

#include <errno.h>

#include "attribution/clue_parts.h"
#include "progress/counters_order.h"
#include "progress/driver_counters.h"
#include "progress/in_bounds.h"
#include "progress/progress_parts.h"
#include "progress/unordered.h"

/* These facts switch off both the clues of code and those of memory. */
static const struct attribution_facts nothing;

enum use_of_counters { COUNTERS_UNUSED, COUNTERS_IN_FULL, COUNTERS_BUT_OF_NEXT };

static int find_progress(const struct search *search, enum use_of_counters use,
			 struct progress *out)
{
	int error = progress_read(search->view, search->moment, use != COUNTERS_UNUSED,
				  search->scratch, search->scratch_size, out);
	if (!error && out->is_contradictory)
		error = -EINVAL;
	if (error)
		return error;
	counters_apply(out);
	limits_raise_done(out);
	if (use == COUNTERS_BUT_OF_NEXT)
		counters_spare_next(out);
	limits_find(out, LEVEL_STRICT);
	limits_find(out, LEVEL_LIKELY);
	counters_check_limits(out);
	code_mark_work(out, search->facts);
	if (search->facts != &nothing)
		in_bounds_mark(out);
	if (search->fault) {
		fault_mark_work(out, search->fault);
		late_find(out, search->fault);
	}
	return 0;
}

/* True if no work can have failed, neither in the journal nor among its lost records. */
static bool is_nobody_left(const struct progress *progress)
{
	if (progress->n_late > 0)
		return false;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		if (progress->streams[id].n_lost > 0)
			return false;
	}
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (progress_is_suspect(progress, &progress->open[i]))
			return false;
	}
	return unordered_suspects(progress, LEVEL_STRICT) == 0;
}

/* Use the driver's counters. If they contradict something, read again as if there were none. */
static int find_filtered(const struct search *search, enum use_of_counters use,
			 struct progress *out)
{
	enum counters_state state = search->has_coredump
					    ? COUNTERS_NONE
					    : driver_counters_state(search->view, search->moment);
	enum counters_trouble trouble =
		state == COUNTERS_REFUSED ? COUNTERS_NOT_TRUSTED : COUNTERS_NO_TROUBLE;
	int error = find_progress(search, state == COUNTERS_USABLE ? use : COUNTERS_UNUSED, out);
	if (!error && out->has_counters) {
		trouble = out->trouble;
		if (trouble == COUNTERS_NO_TROUBLE && is_nobody_left(out))
			trouble = COUNTERS_AGAINST_FAILURE;
		if (trouble != COUNTERS_NO_TROUBLE)
			error = find_progress(search, COUNTERS_UNUSED, out);
		if (!error && trouble == COUNTERS_AGAINST_FAILURE && is_nobody_left(out))
			trouble = COUNTERS_NO_TROUBLE; /* the counters were not the reason */
		out->is_all_cleared = trouble == COUNTERS_AGAINST_FAILURE;
	}
	out->trouble = trouble;
	return error;
}

/*
 * The counters may leave one suspect without showing that it was running. They are not needed if
 * all else leaves one suspect, too. Else, if the counters show that the one they left had not
 * started, the next kernel of each other stream is suspect, too (rule 11m).
 */
static int find_needed(const struct search *search, struct progress *out)
{
	int error = find_filtered(search, COUNTERS_IN_FULL, out);
	if (error || !counters_leave_silent(out))
		return error;
	enum use_of_counters use =
		counters_show_none_running(out) ? COUNTERS_BUT_OF_NEXT : COUNTERS_IN_FULL;
	error = find_progress(search, COUNTERS_UNUSED, out);
	return error || progress_only_suspect(out) ? error : find_filtered(search, use, out);
}

/* Use the facts from kernels' code and the memory map, unless they leave no possible culprit. */
static int find_with_facts(struct search *search, struct progress *out)
{
	int error = find_needed(search, out);

	if (error || search->facts == &nothing || !is_nobody_left(out))
		return error;
	search->facts = &nothing;
	error = find_needed(search, out);
	out->is_all_cleared = out->is_all_cleared || !is_nobody_left(out);
	return error;
}

/* True if it leaves one suspect although that one's stream went on, as far as counters show. */
static bool is_left_one_passed(const struct progress *progress)
{
	const struct open_work *only = progress_only_suspect(progress);
	return only && only->ordinal < progress->streams[only->stream].passed &&
	       fault_has_cleared(progress);
}

/*
 * True if the fault's evidence leaves no suspect, leaves one only without other evidence, leaves
 * one that counters show as finished, or clears work although it leaves no suspect that can have
 * reached the fault.
 */
static bool is_fault_contradicted(const struct progress *progress, const struct fault_clues *fault)
{
	return progress->is_all_cleared || is_nobody_left(progress) ||
	       is_left_one_passed(progress) ||
	       (fault->clears && !fault_is_explained(progress, fault));
}

int evidence_filter_find(struct search search, struct progress *out, bool *out_fault_refused)
{
	struct search without;
	int error = 0;

	if (search.has_coredump || (search.moment->flags & FAILURE_COREDUMPS)) {
		search.facts = &nothing;
		search.fault = NULL;
	}
	*out_fault_refused = false;
	without = search;
	without.fault = NULL;
	error = find_with_facts(&search, out);
	if (error || !search.fault || !is_fault_contradicted(out, search.fault))
		return error;
	error = find_with_facts(&without, out);
	/* If the rest is contradictory by itself, the fault was not the reason, but stays unused.
	 */
	*out_fault_refused = true;
	return error;
}

/*
 * reference.c - each rule is a function over all work, without an index or a shortcut, so that it
 * reads as the rule does.
 */
#include "reference/reference.h"

#include <string.h>

#include "base/failure_class.h"
#include "reference/reference_late.h"
#include "reference/reference_time.h"
#include "reference/reference_words.h"
#include "support/check.h"

static bool is_suspect(const struct story *story, const struct journal_record *work)
{
	return order_is_unfinished(story, work) && words_said(story, work) != SAID_FINISHED &&
	       failure_may_come_from(story->failure->code, work->work) && /* rule 4 */
	       !reference_clears(&story->clues, work) && !time_is_later(story, work) &&
	       order_can_have_started(story, work->stream, work->ordinal);
}

/* Rule 8. */
static bool is_unordered_suspect(const struct story *story, const struct journal_record *work)
{
	bool is_over = work->ordinal != 0 && work->ordinal <= story->done[work->stream];
	return order_may_have_led(story, work) && !is_over && !order_is_held_back(story, work) &&
	       !reference_contains(&story->clues, work);
}

static bool is_kernel(const struct journal_record *work)
{
	return work->work == WORK_KERNEL || work->work == WORK_GRAPH;
}

static bool is_of_kernel(const struct journal_record *work)
{
	return work->work == WORK_KERNEL && work->launch.function != 0;
}

/* suspect_order.h: how new a kernel of this shape is. */
static uint32_t novelty(const struct story *story, const struct journal_record *work)
{
	uint32_t n_finished = 0;
	if (!is_of_kernel(work))
		return 0;
	for (uint32_t i = 0; i < story->n_work + story->n_unordered; i++) {
		const struct journal_record *other =
			i < story->n_work ? &story->work[i] : &story->unordered[i - story->n_work];
		if (is_of_kernel(other) && other->launch.function == work->launch.function &&
		    other->result == 0 && other->ordinal != 0 && !order_is_unfinished(story, other))
			n_finished++;
	}
	return n_finished == 0 ? 2 : n_finished < 4;
}

static uint64_t distance(const struct story *story, const struct journal_record *work)
{
	return order_is_unfinished(story, work) ? work->ordinal - story->done[work->stream] : 0;
}

/* suspect_order.h, without what is unusual. The bigger one comes first. */
static int64_t compare(const struct story *story, const struct journal_record *a,
		       const struct journal_record *b)
{
	const int64_t by_counters = words_weight(story, a) - words_weight(story, b);
	const int64_t traits[] = {
		reference_is_at_fault(&story->clues, a) - reference_is_at_fault(&story->clues, b),
		order_is_late(story, b) - order_is_late(story, a),
		story->are_next_kept ? by_counters : 0,
		is_kernel(a) - is_kernel(b),
		reference_can_trap(&story->clues, a) - reference_can_trap(&story->clues, b),
		by_counters,
		(int64_t)novelty(story, a) - novelty(story, b),
		(int64_t)(time_distance(story, b) - time_distance(story, a)),
		!!(b->flags & RECORD_UNORDERED) - !!(a->flags & RECORD_UNORDERED),
		(int64_t)(distance(story, b) - distance(story, a)),
		(int64_t)(b->sequence - a->sequence),
	};
	for (size_t i = 0; i < sizeof(traits) / sizeof(*traits); i++)
		if (traits[i] != 0)
			return traits[i];
	return 0;
}

/* Add the suspects among `n` records to *out. */
static void name_suspects(const struct story *story, const struct journal_record *work, uint32_t n,
			  bool (*is_one)(const struct story *, const struct journal_record *),
			  struct reference_verdict *out)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!is_one(story, &work[i]))
			continue;
		uint64_t location = out->n_suspects++;
		CHECK(location < ORDER_MAX_WORK);
		for (; location > 0 && compare(story, &work[i], out->suspects[location - 1]) > 0;
		     location--)
			out->suspects[location] = out->suspects[location - 1];
		out->suspects[location] = &work[i];
	}
}

static void find_suspects(struct story *story, struct reference_verdict *out)
{
	order_find_limits(story, RECORD_MARKED_INLINE);
	out->n_suspects = 0;
	name_suspects(story, story->work, story->n_work, is_suspect, out);
}

static void find_unordered_suspects(struct story *story, struct reference_verdict *out)
{
	order_find_limits(story, RECORD_MARKED_INLINE);
	name_suspects(story, story->unordered, story->n_unordered, is_unordered_suspect, out);
}

/* Rule 9: the driver may have rejected it for an error that it had already. */
static bool may_be_rejected(const struct journal_record *work)
{
	return work->result > 0 && (work->work == WORK_COPY || work->work == WORK_MEMSET);
}

/* Rule 15g, unless the fault is left out: add finished work, the newest first. */
static void find_late(struct story *story, struct reference_verdict *out)
{
	uint64_t first = out->n_suspects;
	for (uint32_t i = 0; i < story->n_work + story->n_unordered; i++) {
		const struct journal_record *work =
			i < story->n_work ? &story->work[i] : &story->unordered[i - story->n_work];
		if (!late_is_one(story, work))
			continue;
		uint64_t place = out->n_suspects++;
		CHECK(place < ORDER_MAX_WORK);
		for (; place > first && out->suspects[place - 1]->sequence < work->sequence;
		     place--)
			out->suspects[place] = out->suspects[place - 1];
		out->suspects[place] = work;
	}
}

static bool is_any_late(struct story *story)
{
	static struct reference_verdict found;
	found.n_suspects = 0;
	find_late(story, &found);
	return found.n_suspects > 0;
}

/* Can any work have failed, in the journal or lost? */
static bool is_any_left(struct story *story)
{
	if (!story->is_fault_dropped && is_any_late(story))
		return true;
	static struct reference_verdict found;
	find_suspects(story, &found);
	find_unordered_suspects(story, &found);
	return found.n_suspects > 0 || story->has_unplaced || order_lacks_work(story, false);
}

/* Rule 15f: does a suspect run the code at each program counter? */
static bool is_explained(struct story *story)
{
	static struct reference_verdict found;
	find_suspects(story, &found);
	find_unordered_suspects(story, &found);
	find_late(story, &found);
	for (uint32_t pc = 0; pc < story->clues.n_pcs; pc++) {
		bool is_run = false;
		for (uint64_t i = 0; i < found.n_suspects; i++)
			is_run |= reference_runs(&story->clues, found.suspects[i],
						 story->clues.pcs[pc]);
		if (!is_run)
			return false;
	}
	return true;
}

/* The only suspect of known order; NULL if there are several, or none. */
static const struct journal_record *only_suspect(struct story *story)
{
	static struct reference_verdict found;
	if (!story->is_fault_dropped && is_any_late(story))
		return NULL;
	find_suspects(story, &found);
	return found.n_suspects == 1 ? found.suspects[0] : NULL;
}

/* Rule 11g: use counters, unless they contradict something, or leave no work. */
static void believe(struct story *story, enum words_use use)
{
	words_solve(story, use);
	story->is_all_cleared = false;
	if (!story->has_counters)
		return;
	bool are_wrong = story->are_words_wrong;
	if (!are_wrong && is_any_left(story))
		return;
	words_solve(story, WORDS_LEFT_OUT);
	story->is_all_cleared = !are_wrong && is_any_left(story);
}

/* Rules 11g, 11l and 11m: do they leave one suspect that they do not show at work? */
static const struct journal_record *find_silent(struct story *story)
{
	const struct journal_record *only = only_suspect(story);
	if (!only || !story->has_counters || !words_say_more(story))
		return NULL;
	enum said said = words_said(story, only);
	return words_say_started(said) && said != SAID_OVER ? NULL : only;
}

static void choose_words(struct story *story)
{
	believe(story, WORDS_USED);
	const struct journal_record *silent = find_silent(story);
	if (!silent)
		return;
	enum words_use use =
		words_say_started(words_said(story, silent)) ? WORDS_USED : WORDS_SPARING_NEXT;
	words_solve(story, WORDS_LEFT_OUT);
	if (!only_suspect(story))
		believe(story, use);
}

/* Rules 12 and 13. */
static void choose_facts(struct story *story)
{
	story->clues.uses_facts = true;
	choose_words(story);
	if (is_any_left(story))
		return;
	story->clues.uses_facts = false;
	choose_words(story);
	story->is_all_cleared |= is_any_left(story);
}

/* Rule 15f: does the fault clear work, and leave one suspect that its stream seems to have passed?
 */
static bool leaves_one_passed(struct story *story)
{
	const struct journal_record *only = only_suspect(story);
	bool has_cleared = false;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		has_cleared |=
			order_is_unfinished(story, work) &&
			words_said(story, work) != SAID_FINISHED &&
			order_can_have_started(story, work->stream, work->ordinal) &&
			(reference_fault_clears(&story->clues, work) || time_is_later(story, work));
	}
	return only && has_cleared && only->ordinal < story->went_on[only->stream];
}

/* Rules 15 to 17. */
static void choose_clues(struct story *story)
{
	choose_facts(story);
	if (story->is_all_cleared || !is_any_left(story) || leaves_one_passed(story) ||
	    (story->clues.pcs_clear && !is_explained(story))) {
		story->is_fault_dropped = true;
		reference_drop_fault(&story->clues);
		choose_facts(story);
	}
}

/* Rules 9 and 14. */
enum {
	NOT_LIKELY = FAILURE_STREAMS_LOST | FAILURE_SHARED | FAILURE_WORK_UNSEEN,
	NOT_EXACT = NOT_LIKELY | FAILURE_UNKNOWN_LAUNCH | FAILURE_CHECKPOINTED,
};

static void judge(struct story *story, struct reference_verdict *out)
{
	uint32_t flags = story->failure->flags;
	order_find_late(story);
	find_suspects(story, out);
	uint64_t n_strict = out->n_suspects;
	find_unordered_suspects(story, out);
	uint64_t n_ordered = out->n_suspects;
	bool is_placed = out->n_suspects == n_strict && !story->has_unplaced;
	bool is_sure = is_placed && !story->is_all_cleared;
	bool is_silent = story->are_next_kept || find_silent(story);
	bool is_late = is_any_late(story);
	bool is_late_unnamed = is_late && story->is_fault_dropped;
	if (is_late && !is_late_unnamed)
		find_late(story, out);
	n_strict += out->n_suspects - n_ordered;
	if (n_strict == 1 && is_sure && !is_silent && !is_late && !(flags & NOT_EXACT) &&
	    !order_lacks_work(story, false) && !may_be_rejected(out->suspects[0])) {
		out->class = VERDICT_EXACT;
		return;
	}
	bool is_likely = n_strict == 1 && is_sure && !is_late_unnamed && !(flags & NOT_LIKELY) &&
			 !order_lacks_work(story, true);
	out->class = is_likely         ? VERDICT_LIKELY
		     : out->n_suspects ? VERDICT_NARROWED
				       : VERDICT_UNKNOWN;
}

void reference_attribute(const struct bundle_view *view, const struct attribution_facts *facts,
			 struct reference_verdict *out)
{
	static struct story story;
	memset(&story, 0, sizeof(story));
	order_read(&story, view);
	reference_read_clues(view, facts, &story.clues);
	choose_clues(&story);
	judge(&story, out);
}

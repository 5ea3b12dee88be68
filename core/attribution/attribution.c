/*
 * attribution.c - decide the verdict: which work is suspect, how sure that is, and which suspect
 * comes first. attribution.h has the rules. progress/progress_read.c reads the progress,
 * progress/order_limits.c finds what order proves, and evidence.c explains the verdict.
 */
#include "attribution/attribution.h"

#include <errno.h>
#include <string.h>

#include "attribution/check_doubt.h"
#include "attribution/clue_parts.h"
#include "attribution/coredump_join.h"
#include "attribution/coredump_parts.h"
#include "attribution/evidence.h"
#include "attribution/evidence_filter.h"
#include "attribution/suspect_order.h"
#include "attribution/suspects.h"
#include "base/failure_class.h"
#include "coredump/gpu_exceptions.h"
#include "progress/counters_order.h"
#include "progress/progress_parts.h"
#include "progress/unordered.h"

/* Counts of a hostile bundle must not wrap to "nothing lost". */
static void add_capped(uint64_t *sum, uint64_t n)
{
	*sum = *sum > UINT64_MAX - n ? UINT64_MAX : *sum + n;
}

static void tally_cleared(const struct open_work *open, struct tally *tally)
{
	tally->n_cleared_by_code += open->is_harmless ? 1 : 0;
	tally->n_cleared_by_memory += open->is_in_bounds ? 1 : 0;
	tally->n_cleared_by_fault +=
		open->is_elsewhere && !open->is_later && !open->is_in_bounds ? 1 : 0;
	tally->n_cleared_by_time += open->is_later ? 1 : 0;
	tally->n_cleared_by_class +=
		open->is_ruled_out || open->is_harmless || open->is_in_bounds || open->is_elsewhere
			? 0
			: 1;
}

static void tally_open(const struct progress *progress, const struct open_work *open,
		       struct tally *tally)
{
	if (!progress_is_open(progress, open))
		return;
	tally->n_open++;
	if (!progress_is_able(progress, open)) {
		tally_cleared(open, tally);
		return;
	}
	if (progress_is_blocked(progress, open, LEVEL_STRICT))
		return;
	tally->n_suspects++;
	tally->n_unlikely += open->is_unlikely ? 1 : 0;
	tally->n_lagging += progress_is_lagging(progress, open) ? 1 : 0;
	tally->n_doubtful += open->has_failed && suspect_is_rarely_guilty(open) ? 1 : 0;
}

static void tally_lost(const struct progress *progress, const struct stream_progress *stream,
		       struct tally *tally)
{
	add_capped(&tally->n_lost, stream->n_lost);
	uint64_t limit = progress_last_startable(stream, LEVEL_STRICT);
	add_capped(&tally->n_lost_startable, unordered_count_lost(progress, stream, limit));
}

static struct tally take_tally(const struct progress *progress)
{
	struct tally tally = {.n_unplaced = unordered_suspects(progress, LEVEL_STRICT)};
	for (uint32_t i = 0; i < progress->n_open; i++)
		tally_open(progress, &progress->open[i], &tally);
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		tally_lost(progress, &progress->streams[id], &tally);
	tally.is_silent = counters_leave_silent(progress);
	tally.has_unseen =
		progress->is_all_cleared || (progress->moment.flags & FAILURE_WORK_UNSEEN);
	return tally;
}

/* Flags that may hide the culprit or invalidate a proof. */
enum {
	FORBIDS_EXACT = FAILURE_UNKNOWN_LAUNCH | FAILURE_STREAMS_LOST | FAILURE_COREDUMPS |
			FAILURE_CHECKPOINTED | FAILURE_SHARED,
};

/* True if it is proven that one of the strict suspects, if there is any, caused the failure. */
static bool is_complete(const struct progress *progress, const struct tally *tally,
			const struct verdict *verdict)
{
	return tally->n_doubtful == 0 && tally->n_lost == 0 && tally->n_unplaced == 0 &&
	       !tally->has_unseen && !(tally->n_late && tally->is_fault_refused) &&
	       !(verdict->failure.flags & FORBIDS_EXACT) &&
	       !check_doubt_applies(progress->view, verdict->failure.code) &&
	       progress->view->tables[JOURNAL_STREAMS].lost == 0 && !tally->is_silent;
}

/*
 * Set the class. LIKELY is one suspect that is not EXACT for one of these reasons, each with its
 * evidence (add_weaknesses() in evidence.c):
 * - only the fault's address makes the others less likely: fault_address,
 * - the counters do not confirm that it was running: driver_silent,
 * - it is a copy or the like whose own call returned the error: refused,
 * - records are lost, but only of work that cannot have started: records_lost,
 * - it seems to have finished, and may have raised the exception all the same: fault_late,
 * - a check of culprit's own may have failed instead: checks,
 * - a flag of FORBIDS_EXACT that leaves one suspect: unseen_launch, checkpoint.
 * With core dumps on, judge_candidates() decides instead: one candidate that no dump convicts is
 * LIKELY.
 */
static void classify(const struct progress *progress, const struct tally *tally,
		     struct verdict *verdict)
{
	bool is_proven = is_complete(progress, tally, verdict);
	verdict->has_unseen = tally->has_unseen;
	if (tally->n_suspects > 0) {
		bool is_alone = tally->n_suspects - tally->n_unlikely == 1 &&
				tally->n_lost_startable == 0 && tally->n_unplaced == 0 &&
				!tally->has_unseen && !(tally->n_late && tally->is_fault_refused) &&
				!(verdict->failure.flags & (FAILURE_STREAMS_LOST | FAILURE_SHARED));
		bool is_exact = is_proven && tally->n_suspects == 1 && tally->n_late == 0;
		verdict->class = is_exact   ? VERDICT_EXACT
				 : is_alone ? VERDICT_LIKELY
					    : VERDICT_NARROWED;
		verdict->is_complete = is_proven && verdict->class == VERDICT_NARROWED;
	} else if (failure_is_hardware(verdict->failure.code)) {
		verdict->unknown_reason = UNKNOWN_HARDWARE;
	} else {
		verdict->unknown_reason = tally->n_lost > 0 || tally->n_unplaced > 0
						  ? UNKNOWN_RECORDS_LOST
						  : UNKNOWN_NOTHING_UNFINISHED;
	}
}

static void copy_failure(const struct failure_row *row, struct failure_row *out)
{
	*out = (struct failure_row){.code = row->code,
				    .call = row->call,
				    .tid = row->tid,
				    .stack = row->stack,
				    .stream = row->stream,
				    .flags = __atomic_load_n(&row->flags, __ATOMIC_RELAXED),
				    .time_ns = row->time_ns,
				    .sequence = row->sequence,
				    .n_cleanups = view_live(&row->n_cleanups),
				    .n_sticky = view_live(&row->n_sticky)};
}

static void name_candidates(const struct progress *progress, const struct coredump_join *join,
			    struct verdict *verdict)
{
	verdict->n_suspects = join->n;
	for (uint32_t i = 0; i < join->n_kept; i++) {
		const struct coredump_candidate *kept = &join->kept[i];
		const struct open_work work = {
			.slot = kept->slot, .position = kept->position, .sequence = kept->sequence};
		suspects_add(progress, &work, i, verdict);
	}
	verdict->n_ungrouped += join->n - join->n_kept;
	verdict->coredump = join->clues.fault;
	verdict->location = coredump_location(&join->clues, verdict->suspects[0].slot,
					      &verdict->suspects[0].record);
}

/*
 * Decide among the candidates of a core dump; there is at least one. Their streams may claim to
 * have finished them, but that clears no candidate: see rule 10.
 */
static void judge_candidates(const struct progress *progress, const struct coredump_join *join,
			     struct verdict *verdict)
{
	/* Nothing points at the one candidate, and the culprit may have no record (rule 9). */
	bool is_unsure = join->clues.fault->is_partial &&
			 verdict->failure.flags & (FAILURE_STREAMS_LOST | FAILURE_SHARED);
	if (coredump_convicts(progress, join))
		verdict->class = VERDICT_EXACT;
	else if (join->n == 1 && join->is_complete && !is_unsure)
		verdict->class = VERDICT_LIKELY;
	else
		verdict->class = VERDICT_NARROWED;
	name_candidates(progress, join, verdict);
}

/* Data that is too big for a small thread's stack. */
struct workplace {
	struct coredump_join join;
	struct anomaly_table anomaly;
	struct fault_clues fault;
	bool is_fault_refused;
};
static_assert(sizeof(struct workplace) % sizeof(uint64_t) == 0, "what follows is aligned");

static struct tally take_fault_tally(struct progress *progress, const struct workplace *place)
{
	struct tally tally = take_tally(progress);
	tally.fault = progress->is_fault_used ? &place->fault : NULL;
	tally.is_fault_refused = place->is_fault_refused;
	tally.n_late = progress->n_late;
	if (!place->is_fault_refused)
		add_capped(&tally.n_suspects, tally.n_late);
	return tally;
}

static void judge(struct progress *progress, struct workplace *place, struct verdict *out)
{
	if (place->is_fault_refused)
		late_find(progress, &place->fault);
	address_mark_work(progress, &place->fault);
	struct tally tally = take_fault_tally(progress, place);
	classify(progress, &tally, out);

	if (out->class != VERDICT_LIKELY && tally.n_unlikely) {
		address_only_ranks(progress);
		tally = take_fault_tally(progress, place);
		classify(progress, &tally, out);
	}
	suspects_rank(progress, &place->anomaly, out);
	if (!place->is_fault_refused)
		suspects_add_late(progress, out);
	evidence_fill(progress, &tally, LEVEL_STRICT, out);
}

/* Dumps are on, but none is of this failure: finished streams clear no work (rule 10e). */
static void judge_without_proof(struct progress *progress, struct workplace *place,
				struct verdict *out)
{
	struct coredump_join *join = &place->join;
	static const struct gpu_fault nothing_known = {.is_partial = true};
	coredump_join(progress, &nothing_known, join);
	struct tally tally = take_tally(progress);
	if (join->n == 0) {
		judge(progress, place, out);
		return;
	}
	judge_candidates(progress, join, out);
	out->coredump = NULL;
	evidence_fill(progress, &tally, LEVEL_STRICT, out);
}

static void judge_with_coredump(struct progress *progress, const struct gpu_fault *fault,
				struct workplace *place, struct verdict *out)
{
	struct coredump_join *join = &place->join;
	coredump_join(progress, fault, join);
	if (join->n == 0) {
		evidence_add_coredump(join, out);
		judge_without_proof(progress, place, out);
		/* The dump contradicts the journal, and one of them is wrong. */
		if (out->class > VERDICT_NARROWED)
			out->class = VERDICT_NARROWED;
		return;
	}
	struct tally tally = take_tally(progress);
	judge_candidates(progress, join, out);
	evidence_add_coredump(join, out);
	evidence_fill(progress, &tally, LEVEL_STRICT, out);
}

static struct moment moment_of(const struct failure_row *failure)
{
	return (struct moment){.code = failure->code,
			       .flags = failure->flags,
			       .sequence = failure->sequence,
			       .time_ns = failure->time_ns};
}

size_t attribution_scratch(const struct bundle_view *view)
{
	const struct failure_row *failure = view_failure(view);
	if (!failure)
		return 0;
	struct moment moment = moment_of(failure);
	return sizeof(struct workplace) + progress_read_scratch(view, &moment);
}

/* Find the anomaly of the first suspect, by whichever rule it was found. */
static void find_anomaly(const struct bundle_view *view, struct anomaly_table *table,
			 struct verdict *out)
{
	table->n = 0;
	if (out->n_suspects == 0)
		return;
	anomaly_add(table, view, out->suspects[0].slot, &out->suspects[0].record);
	anomaly_compare(table, view);
	out->anomaly = anomaly_of(table, 0);
}

/* Claim the node of the first suspect, by the dump, by code or by the driver's report. */
static void claim_node(const struct progress *progress, const struct workplace *place,
		       struct verdict *out)
{
	const struct bundle_view *view = progress->view;
	const struct journal_record *record = &out->suspects[0].record;
	bool is_code_used = !out->coredump && !(out->failure.flags & FAILURE_COREDUMPS);

	if (place->fault.clears)
		fault_claim_node(view, out->failure.code, record, &place->fault, &out->graph);
	else if (!is_code_used || !code_claim_node(progress, &place->fault, record, &out->graph))
		coredump_claim_node(view, out->coredump, out->failure.code, record, &out->graph);
	if (progress->is_fault_used)
		address_claim_node(view, &place->fault, &out->graph);
}

/* Find where the GPU stopped in the code of the first suspect, or of the node that is claimed. */
static void find_fault_code(const struct bundle_view *view, const struct fault_clues *fault,
			    struct verdict *out)
{
	const struct journal_record *record = &out->suspects[0].record;
	uint32_t function = 0;
	if (!fault->clears) {
		if (out->class == VERDICT_EXACT && record->work == WORK_KERNEL)
			fault_place_alone(view, fault, record->launch.function, &out->fault_code);
		return;
	}
	if (record->work == WORK_KERNEL)
		function = record->launch.function;
	else if (out->graph.candidates[0].work == WORK_KERNEL)
		function = out->graph.candidates[0].function;
	uint32_t named = code_extents_named(view, &fault->extents, function);
	if (named)
		out->fault_code = fault->extents.locations[__builtin_ctz(named)];
}

int attribute_with_facts(const struct bundle_view *view, const struct attribution_facts *facts,
			 void *scratch, size_t scratch_size, struct verdict *out)
{
	const struct failure_row *failure = view_failure(view);
	const struct gpu_fault *coredump = facts->coredump;
	struct workplace *place = scratch;
	memset(out, 0, sizeof(*out));
	if (!failure) {
		out->unknown_reason = UNKNOWN_NO_FAILURE;
		return 0;
	}
	copy_failure(failure, &out->failure);
	if (scratch_size < sizeof(*place))
		return -ENOMEM;
	struct moment moment = moment_of(failure);
	bool has_coredump =
		coredump && gpu_fault_is_any(coredump) && gpu_fault_fits(coredump, failure->code);
	fault_clues_read(view, &moment, facts, &place->fault);
	struct progress progress;
	int error =
		evidence_filter_find((struct search){.view = view,
						     .moment = &moment,
						     .facts = facts,
						     .has_coredump = has_coredump,
						     .fault = &place->fault,
						     .scratch = place + 1,
						     .scratch_size = scratch_size - sizeof(*place)},
				     &progress, &place->is_fault_refused);
	if (error == -EINVAL) {
		out->unknown_reason = UNKNOWN_BAD_BUNDLE;
		return 0;
	}
	if (error)
		return error;
	place->fault.clears = place->fault.clears && progress.is_fault_used;
	if (has_coredump) {
		judge_with_coredump(&progress, coredump, place, out);
	} else {
		if (failure->flags & FAILURE_COREDUMPS)
			judge_without_proof(&progress, place, out);
		else
			judge(&progress, place, out);
		if (coredump)
			evidence_add_foreign_coredump(out);
	}
	find_anomaly(view, &place->anomaly, out);
	if (out->n_suspects > 0) {
		claim_node(&progress, place, out);
		find_fault_code(view, &place->fault, out);
	}
	return 0;
}

int attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
			    void *scratch, size_t scratch_size, struct verdict *out)
{
	const struct attribution_facts facts = {.coredump = coredump};
	return attribute_with_facts(view, &facts, scratch, scratch_size, out);
}

int attribute(const struct bundle_view *view, void *scratch, size_t scratch_size,
	      struct verdict *out)
{
	return attribute_with_coredump(view, NULL, scratch, scratch_size, out);
}

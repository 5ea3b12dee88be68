/*
 * attribution.c - decides the verdict: who is suspect, how sure that is, who comes first. The rules
 * are in attribution.h; progress and order come from progress.c, the explanation from evidence.c.
 */
#include "attribution.h"

#include <errno.h>
#include <string.h>

#include "coredump_join.h"
#include "evidence.h"
#include "failure_class.h"
#include "progress.h"

bool is_able(const struct progress *progress, const struct open_work *open)
{
	return !open->is_ruled_out && open->sequence <= progress->failure->sequence &&
	       can_raise(progress->failure->code, open->work);
}

static bool is_suspect(const struct progress *progress, const struct open_work *open,
		       enum order_level level)
{
	return progress_is_open(progress, open) && is_able(progress, open) &&
	       !progress_is_blocked(progress, open, level);
}

/* Counts of a hostile bundle must not wrap round to "nothing lost". */
static void add_capped(uint64_t *sum, uint64_t n)
{
	*sum = *sum > UINT64_MAX - n ? UINT64_MAX : *sum + n;
}

static bool is_rarely_guilty(const struct open_work *open)
{
	return open->work != WORK_KERNEL && open->work != WORK_GRAPH;
}

static void tally_open(const struct progress *progress, const struct open_work *open,
		       struct tally *tally)
{
	if (!progress_is_open(progress, open))
		return;
	tally->n_open++;
	if (!is_able(progress, open)) {
		tally->n_cleared_by_class += open->is_ruled_out ? 0 : 1;
		return;
	}
	for (enum order_level level = LEVEL_STRICT; level < N_ORDER_LEVELS; level++)
		tally->n_suspects[level] += progress_is_blocked(progress, open, level) ? 0 : 1;
	if (open->has_failed && is_rarely_guilty(open))
		tally->n_doubtful += progress_is_blocked(progress, open, LEVEL_STRICT) ? 0 : 1;
}

static void tally_lost(const struct progress *progress, const struct stream_progress *stream,
		       struct tally *tally)
{
	add_capped(&tally->n_lost, stream->n_lost);
	for (enum order_level level = LEVEL_STRICT; level < N_ORDER_LEVELS; level++) {
		uint64_t limit = progress_last_startable(stream, level);

		add_capped(&tally->n_lost_startable[level], progress_lost(progress, stream, limit));
	}
}

static struct tally take_tally(const struct progress *progress)
{
	struct tally tally = {.n_unplaced = progress->n_unplaced};

	for (uint32_t i = 0; i < progress->n_open; i++)
		tally_open(progress, &progress->open[i], &tally);
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		tally_lost(progress, &progress->streams[id], &tally);
	return tally;
}

/* Any of these may hide the culprit, or unmake a proof. */
enum {
	FORBIDS_EXACT = FAILURE_UNKNOWN_LAUNCH | FAILURE_STREAMS_LOST | FAILURE_COREDUMPS,
};

static bool is_exact(const struct progress *progress, const struct tally *tally,
		     const struct verdict *verdict)
{
	return tally->n_suspects[LEVEL_STRICT] == 1 && tally->n_doubtful == 0 &&
	       tally->n_lost == 0 && tally->n_unplaced == 0 &&
	       !(verdict->failure.flags & FORBIDS_EXACT) &&
	       progress->view->tables[JOURNAL_STREAMS].lost == 0;
}

/* Sets the class; returns the level whose suspects the verdict names. */
static enum order_level classify(const struct progress *progress, const struct tally *tally,
				 struct verdict *verdict)
{
	if (is_exact(progress, tally, verdict)) {
		verdict->class = VERDICT_EXACT;
		return LEVEL_STRICT;
	}
	if (tally->n_suspects[LEVEL_LIKELY] > 0) {
		bool is_alone = tally->n_suspects[LEVEL_LIKELY] == 1 &&
				tally->n_lost_startable[LEVEL_LIKELY] == 0 &&
				!(verdict->failure.flags & FAILURE_STREAMS_LOST);

		verdict->class = is_alone ? VERDICT_LIKELY : VERDICT_NARROWED;
		return LEVEL_LIKELY;
	}
	if (tally->n_suspects[LEVEL_STRICT] > 0) {
		verdict->class = VERDICT_NARROWED;
		return LEVEL_STRICT;
	}
	if (is_hardware(verdict->failure.code)) {
		verdict->unknown_reason = UNKNOWN_HARDWARE;
		return LEVEL_LIKELY;
	}
	verdict->unknown_reason = tally->n_lost > 0 || tally->n_unplaced > 0
					  ? UNKNOWN_RECORDS_LOST
					  : UNKNOWN_NOTHING_UNFINISHED;
	return LEVEL_LIKELY;
}

static uint64_t distance_from_done(const struct progress *progress, const struct open_work *open)
{
	uint64_t done = progress->streams[open->stream].done;

	return open->ordinal > done ? open->ordinal - done : 0;
}

/* Kernels and graphs first, then what its stream came to first, then what was submitted first. */
static bool is_more_suspect(const struct progress *progress, const struct open_work *a,
			    const struct open_work *b)
{
	uint64_t distance_a = distance_from_done(progress, a);
	uint64_t distance_b = distance_from_done(progress, b);

	if (a->fit != b->fit)
		return a->fit > b->fit;
	if (is_rarely_guilty(a) != is_rarely_guilty(b))
		return is_rarely_guilty(b);
	if (distance_a != distance_b)
		return distance_a < distance_b;
	return a->sequence < b->sequence;
}

/* Keeps the first VERDICT_MAX_SUSPECTS in order. */
static uint32_t insert_suspect(const struct progress *progress, const struct open_work *suspect,
			       const struct open_work **ranked, uint32_t n)
{
	uint32_t i = n < VERDICT_MAX_SUSPECTS ? n : n - 1;

	if (n == VERDICT_MAX_SUSPECTS && !is_more_suspect(progress, suspect, ranked[n - 1]))
		return n;
	for (; i > 0 && is_more_suspect(progress, suspect, ranked[i - 1]); i--)
		ranked[i] = ranked[i - 1];
	ranked[i] = suspect;
	return n < VERDICT_MAX_SUSPECTS ? n + 1 : n;
}

/* The record as it is in the ring, or what is left if it was overwritten since. */
static void copy_suspect(const struct progress *progress, const struct open_work *open,
			 struct submission *out)
{
	out->slot = open->slot;
	if (view_record(progress->view, open->slot, open->position, &out->record) &&
	    out->record.kind == RECORD_SUBMISSION && out->record.sequence == open->sequence)
		return;
	out->record = (struct journal_record){.sequence = open->sequence,
					      .ordinal = open->ordinal,
					      .stream = open->stream,
					      .kind = RECORD_SUBMISSION,
					      .work = open->work,
					      .flags = open->flags};
}

static void rank_suspects(const struct progress *progress, enum order_level level,
			  struct verdict *verdict)
{
	const struct open_work *ranked[VERDICT_MAX_SUSPECTS];
	uint32_t n_ranked = 0;

	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (is_suspect(progress, &progress->open[i], level)) {
			n_ranked = insert_suspect(progress, &progress->open[i], ranked, n_ranked);
			verdict->n_suspects++;
		}
	}
	for (uint32_t i = 0; i < n_ranked; i++)
		copy_suspect(progress, ranked[i], &verdict->suspects[i]);
}

static void copy_failure(const struct failure_row *row, struct failure_row *out)
{
	*out = (struct failure_row){.code = row->code,
				    .call = row->call,
				    .tid = row->tid,
				    .stack = row->stack,
				    .stream = row->stream,
				    .flags = row->flags,
				    .time_ns = row->time_ns,
				    .sequence = row->sequence,
				    .n_cleanups = view_live(&row->n_cleanups),
				    .n_sticky = view_live(&row->n_sticky)};
}

static void name_candidates(const struct progress *progress, const struct coredump_join *join,
			    enum order_level level, struct verdict *verdict)
{
	verdict->n_suspects = join->n[level];
	for (uint32_t i = 0; i < join->n_kept[level]; i++) {
		const struct coredump_candidate *kept = &join->kept[level][i];
		const struct open_work work = {
			.slot = kept->slot, .position = kept->position, .sequence = kept->sequence};

		copy_suspect(progress, &work, &verdict->suspects[i]);
	}
	verdict->coredump = join->fault;
	verdict->place = coredump_place(progress->view, join->fault, &verdict->suspects[0]);
}

/*
 * Decides among the candidates of a core dump, of which there are some. That their streams claim to
 * have finished them clears none: see rule 10.
 */
static enum order_level judge_candidates(const struct progress *progress,
					 const struct coredump_join *join, struct verdict *verdict)
{
	enum order_level level = join->n[LEVEL_LIKELY] > 0 ? LEVEL_LIKELY : LEVEL_STRICT;

	if (coredump_convicts(progress, join)) {
		verdict->class = VERDICT_EXACT;
		level = LEVEL_STRICT;
	} else if (join->n[level] == 1 && join->is_complete) {
		verdict->class = VERDICT_LIKELY;
	} else {
		verdict->class = VERDICT_NARROWED;
	}
	name_candidates(progress, join, level, verdict);
	return level;
}

static void judge(struct progress *progress, struct verdict *out)
{
	struct tally tally = take_tally(progress);
	enum order_level level = classify(progress, &tally, out);

	rank_suspects(progress, level, out);
	evidence_fill(progress, &tally, level, out);
}

/* Dumps are on, and none tells of this failure: what streams claim to have finished clears none. */
static void judge_without_proof(struct progress *progress, struct coredump_join *join,
				struct verdict *out)
{
	static const struct gpu_fault nothing_known = {.is_partial = true};
	struct tally tally;
	enum order_level level;

	coredump_join(progress, &nothing_known, join);
	tally = take_tally(progress);
	if (join->n[LEVEL_STRICT] == 0) {
		judge(progress, out);
		return;
	}
	level = judge_candidates(progress, join, out);
	out->coredump = NULL;
	evidence_fill(progress, &tally, level, out);
}

static void judge_with_coredump(struct progress *progress, const struct gpu_fault *fault,
				struct coredump_join *join, struct verdict *out)
{
	enum order_level level;
	struct tally tally;

	coredump_join(progress, fault, join);
	if (join->n[LEVEL_STRICT] == 0) {
		evidence_add_coredump(join, LEVEL_STRICT, out);
		judge_without_proof(progress, join, out);
		/* The dump contradicts the journal, and one of them lies. */
		if (out->class > VERDICT_NARROWED)
			out->class = VERDICT_NARROWED;
		return;
	}
	tally = take_tally(progress);
	level = judge_candidates(progress, join, out);
	evidence_add_coredump(join, level, out);
	evidence_fill(progress, &tally, level, out);
}

size_t attribution_scratch(const struct bundle_view *view)
{
	return view_failure(view) ? sizeof(struct coredump_join) + progress_scratch(view) : 0;
}

int attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
			    void *scratch, size_t scratch_size, struct verdict *out)
{
	const struct failure_row *failure = view_failure(view);
	struct coredump_join *join = scratch; /* too big for a small thread's stack */
	struct progress progress;
	int error;

	memset(out, 0, sizeof(*out));
	if (!failure) {
		out->unknown_reason = UNKNOWN_NO_FAILURE;
		return 0;
	}
	copy_failure(failure, &out->failure);
	if (scratch_size < sizeof(*join))
		return -ENOMEM;
	error = progress_collect(view, join + 1, scratch_size - sizeof(*join), &progress);
	if (error)
		return error;
	if (progress.is_contradictory) {
		out->unknown_reason = UNKNOWN_BAD_BUNDLE;
		return 0;
	}
	progress_propagate(&progress);
	progress_limit(&progress, LEVEL_STRICT);
	progress_limit(&progress, LEVEL_LIKELY);
	if (coredump && gpu_fault_is_any(coredump) && gpu_fault_fits(coredump, failure->code)) {
		judge_with_coredump(&progress, coredump, join, out);
	} else {
		if (failure->flags & FAILURE_COREDUMPS)
			judge_without_proof(&progress, join, out);
		else
			judge(&progress, out);
		if (coredump)
			evidence_add_foreign_coredump(out);
	}
	if (out->n_suspects > 0)
		coredump_claim_node(view, out->coredump, out->failure.code,
				    &out->suspects[0].record, &out->graph);
	return 0;
}

int attribute(const struct bundle_view *view, void *scratch, size_t scratch_size,
	      struct verdict *out)
{
	return attribute_with_coredump(view, NULL, scratch, scratch_size, out);
}

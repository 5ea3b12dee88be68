/*
 * coredump_join.c - search the journal for what faulted by a core dump. coredump_fit.c decides
 * whether one submission fits, and attribution.c what follows for the verdict.
 */
#include "attribution/coredump_join.h"

#include "attribution/coredump_parts.h"
#include "base/failure_class.h"
#include "coredump/gpu_exceptions.h"
#include "progress/unordered.h"
#include "view/record_walk.h"

/*
 * True if a sync that returned before the dump existed proves anything. All warps that faulted must
 * be in the dump: then their grids had not finished. A warp that has exited looks finished, and a
 * sync after it returned success 40 to 160 ms before the dump existed (driver 580.159).
 */
static bool trusts_syncs(const struct progress *progress, const struct gpu_fault *fault)
{
	return progress->moment.flags & FAILURE_SYNCS_WATCHED && fault->n_locations == 0 &&
	       !fault->is_partial;
}

/* Return the last ordinal whose proof of being finished holds in spite of the dump. */
static uint64_t trusted_done(const struct coredump_join *join, const struct stream_progress *stream)
{
	if (!join->trusts_syncs)
		return 0;
	return stream->synced > stream->before ? stream->synced : stream->before;
}

/* True if it is proven finished. Work of unknown order may have no ordinal yet. */
static bool is_over(const struct coredump_join *join, const struct stream_progress *stream,
		    const struct journal_record *record)
{
	if (record->flags & RECORD_UNORDERED && join->trusts_syncs && unordered_has_waited(record))
		return true;
	return record->ordinal != 0 && record->ordinal <= trusted_done(join, stream);
}

/* True if it may have run and is not proven finished. */
static bool may_have_faulted(const struct progress *progress, const struct coredump_join *join,
			     const struct journal_record *record)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	bool has_place = record->ordinal != 0 || record->flags & RECORD_UNORDERED;
	return record->kind == RECORD_SUBMISSION && stream && has_place &&
	       record->sequence <= progress->moment.sequence &&
	       progress_may_be_queued(progress->view, &progress->moment, record) &&
	       failure_may_come_from(progress->moment.code, record->work) &&
	       !is_over(join, stream, record);
}

/* True if it cannot have started. */
static bool is_blocked(const struct stream_progress *stream, const struct journal_record *record)
{
	if (record->flags & RECORD_UNORDERED)
		return unordered_is_held(&stream->limits[LEVEL_STRICT], record->progress.behind,
					 record->flags);
	return record->ordinal > progress_last_startable(stream, LEVEL_STRICT);
}

/*
 * Sure candidates come first. Candidates after a missing side marker come after the others, and the
 * closest to where the grid's number points come before them. Then come those that are unfinished
 * by their streams, oldest first, and then the newest.
 */
static bool is_better(const struct coredump_candidate *a, const struct coredump_candidate *b)
{
	if (a->fit != b->fit)
		return a->fit > b->fit;
	if (a->is_lagging != b->is_lagging)
		return b->is_lagging;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->is_passed != b->is_passed)
		return b->is_passed;
	return a->is_passed ? a->sequence > b->sequence : a->sequence < b->sequence;
}

/* Insert the candidate, keeping the best in order. */
static void keep(struct coredump_candidate *kept, uint32_t *n,
		 const struct coredump_candidate *candidate)
{
	uint32_t i = *n;
	if (i == VERDICT_MAX_SUSPECTS && !is_better(candidate, &kept[--i]))
		return;
	for (; i > 0 && is_better(candidate, &kept[i - 1]); i--)
		kept[i] = kept[i - 1];
	kept[i] = *candidate;
	*n += *n < VERDICT_MAX_SUSPECTS ? 1 : 0;
}

static void consider(const struct progress *progress, uint32_t slot, uint64_t position,
		     const struct journal_record *record, struct coredump_join *join)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	struct coredump_candidate candidate = {
		.sequence = record->sequence, .position = position, .slot = slot};
	bool is_unordered = record->flags & RECORD_UNORDERED;
	if (!may_have_faulted(progress, join, record) || is_blocked(stream, record))
		return;
	join->n_unordered += is_unordered ? 1 : 0;
	candidate.is_passed = record->ordinal != 0 && record->ordinal <= stream->done;
	candidate.is_lagging =
		!is_unordered && record->ordinal > progress_last_startable(stream, LEVEL_LIKELY);
	if (join->expected)
		candidate.distance = record->sequence > join->expected
					     ? record->sequence - join->expected
					     : join->expected - record->sequence;
	candidate.fit = coredump_fit(&join->clues, slot, record);
	if (candidate.fit == COREDUMP_RULED_OUT)
		return;
	join->n++;
	join->n_sure += candidate.fit == COREDUMP_SURE ? 1 : 0;
	keep(join->kept, &join->n_kept, &candidate);
}

/* True if the journal must have this record to be complete. */
static bool is_needed(const struct progress *progress, const struct coredump_join *join,
		      const struct journal_record *record)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	return record->kind == RECORD_SUBMISSION && stream && !progress_has_error(record) &&
	       record->ordinal > trusted_done(join, stream) && record->ordinal <= stream->submitted;
}

static void search(const struct progress *progress, struct coredump_join *join, uint64_t *out_found)
{
	*out_found = 0;
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk)) {
		*out_found += is_needed(progress, join, &walk.record) ? 1 : 0;
		consider(progress, walk.slot, walk.position, &walk.record, join);
	}
}

/* Count the records that the journal must have; UINT64_MAX if the count overflows. */
static uint64_t count_needed(const struct progress *progress, const struct coredump_join *join)
{
	uint64_t needed = 0;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		const struct stream_progress *stream = &progress->streams[id];
		uint64_t done = trusted_done(join, stream);
		uint64_t n = stream->submitted > done ? stream->submitted - done : 0;
		if (needed > UINT64_MAX - n)
			return UINT64_MAX;
		needed += n;
	}
	return needed;
}

/* Mark what the dump rules out. Not without a candidate: then the dump was misunderstood. */
static void mark_open(struct progress *progress, const struct coredump_join *join)
{
	struct journal_record record;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		struct open_work *open = &progress->open[i];
		if (progress_find_record(progress, open, &record))
			open->is_ruled_out = coredump_fit(&join->clues, open->slot, &record) ==
					     COREDUMP_RULED_OUT;
	}
}

void coredump_join(struct progress *progress, const struct gpu_fault *fault,
		   struct coredump_join *out)
{
	*out = (struct coredump_join){
		.clues = {.view = progress->view,
			  .fault = fault,
			  .moment = progress->moment,
			  .naming_grids = coredump_naming_grids(progress, fault),
			  .is_application = coredump_is_application(progress->view, fault)},
		.expected = coredump_expected(progress, fault),
		.trusts_syncs = trusts_syncs(progress, fault),
	};
	uint64_t found = 0;
	search(progress, out, &found);
	out->is_complete = found >= count_needed(progress, out) &&
			   out->n_unordered + progress->n_unplaced == 0 &&
			   (out->trusts_syncs || progress->n_waited == 0) &&
			   progress->view->tables[JOURNAL_STREAMS].lost == 0 &&
			   !(progress->moment.flags & FAILURE_WORK_UNSEEN);
	if (out->n > 0)
		mark_open(progress, out);
}

/* Flags that may hide another launch like it. A restored driver may number its grids anew. */
enum {
	HIDES_LAUNCHES = FAILURE_UNKNOWN_LAUNCH | FAILURE_STREAMS_LOST | FAILURE_CHECKPOINTED,
};

bool coredump_convicts(const struct progress *progress, const struct coredump_join *join)
{
	const struct gpu_fault *fault = join->clues.fault;
	return join->n == 1 && join->n_sure == 1 && join->is_complete &&
	       !(progress->moment.flags & HIDES_LAUNCHES) && fault->n_grids == 1 &&
	       fault->n_locations == 0 && gpu_fault_proves(fault, progress->moment.code);
}

/*
 * unfinished.c - find a process's progress at its end, as attribution.c does at a failure.
 */
#include "attribution/unfinished.h"

#include <string.h>

#include "attribution/evidence.h"
#include "progress/order_limits.h"
#include "progress/progress_read.h"
#include "progress/unordered.h"

static const struct moment at_end = {.sequence = UINT64_MAX, .time_ns = UINT64_MAX};

size_t unfinished_scratch(const struct bundle_view *view)
{
	return progress_read_scratch(view, &at_end);
}

static bool may_have_begun(const struct progress *progress, const struct open_work *open)
{
	return progress_is_open(progress, open) &&
	       !progress_is_blocked(progress, open, LEVEL_LIKELY);
}

/* Insert a submission among the earliest, which are kept. */
static void insert(const struct open_work *work, const struct open_work **kept, uint32_t *n)
{
	uint32_t at = *n < VERDICT_MAX_SUSPECTS ? (*n)++ : VERDICT_MAX_SUSPECTS;
	for (; at > 0 && kept[at - 1]->sequence > work->sequence; at--)
		if (at < VERDICT_MAX_SUSPECTS)
			kept[at] = kept[at - 1];
	if (at < VERDICT_MAX_SUSPECTS)
		kept[at] = work;
}

static void list_begun(const struct progress *progress, struct verdict *out)
{
	uint32_t n_kept = 0;
	const struct open_work *kept[VERDICT_MAX_SUSPECTS];
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (!may_have_begun(progress, &progress->open[i]))
			continue;
		insert(&progress->open[i], kept, &n_kept);
		out->n_suspects++;
	}
	for (uint32_t i = 0; i < n_kept; i++) {
		out->suspects[i].slot = kept[i]->slot;
		/* In a live process the record may be overwritten by now: then only numbers remain.
		 */
		if (!view_record(progress->view, kept[i]->slot, kept[i]->position,
				 &out->suspects[i].record))
			out->suspects[i].record = (struct journal_record){
				.sequence = kept[i]->sequence, .stream = kept[i]->stream};
	}
}

static uint64_t count_unfinished(const struct progress *progress)
{
	uint64_t n = unordered_count(progress);
	for (uint32_t i = 0; i < progress->n_open; i++)
		n += progress_is_open(progress, &progress->open[i]) ? 1 : 0;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		uint64_t n_lost = progress->streams[id].n_lost;
		/* Counts of a hostile bundle must not wrap to "nothing". */
		n = n > UINT64_MAX - n_lost ? UINT64_MAX : n + n_lost;
	}
	return n;
}

int unfinished_find(const struct bundle_view *view, void *scratch, size_t scratch_size,
		    struct verdict *out)
{
	const struct tally nothing_told = {0};
	memset(out, 0, sizeof(*out));
	out->unknown_reason = UNKNOWN_NO_FAILURE;
	struct progress progress;
	int error = progress_read(view, &at_end, false, scratch, scratch_size, &progress);
	if (error || progress.is_contradictory)
		return error;
	limits_raise_done(&progress);
	limits_find(&progress, LEVEL_STRICT);
	limits_find(&progress, LEVEL_LIKELY);
	out->n_unfinished = count_unfinished(&progress);
	list_begun(&progress, out);
	evidence_fill(&progress, &nothing_told, LEVEL_LIKELY, out);
	out->n_evidence = 0;
	return 0;
}

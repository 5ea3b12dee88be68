/*
 * left_work.c - compare the last snapshot with the journal as the process left it.
 */
#include "analysis/readings.h"

#include <stdlib.h>

#include "progress/stall.h"
#include "view/record_walk.h"

/* True if the stream's earliest unfinished submission had started, and waits for no other stream.
 */
static bool had_started(const struct stall *row)
{
	return row->kind == STALL_RUNS || row->kind == STALL_VALUE || row->kind == STALL_FUNCTION;
}

static uint64_t count_later(const struct bundle_view *view, uint64_t read_ns)
{
	uint64_t n = 0;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		n += walk.record.kind == RECORD_SUBMISSION && walk.record.time_ns >= read_ns;
	return n;
}

static void add(const struct stall *row, uint64_t read_ns, struct hang_claim *out)
{
	if (out->n == HANG_CLAIM_MAX)
		return;
	if (out->n == 0 && read_ns > row->front.time_ns)
		out->ns = read_ns - row->front.time_ns;
	out->rows[out->n++] = (struct hang_stand){.sequence = row->front.sequence,
						  .source_sequence = row->source_sequence,
						  .kind = row->kind,
						  .is_proven = row->is_proven};
}

/* True if a call that had not returned at the end waited for the stream before the snapshot. */
static bool is_awaited(const struct bundle_view *view, uint32_t stream, uint64_t read_ns)
{
	uint64_t n_rows = view->tables[JOURNAL_WAITS].n_rows;
	for (uint32_t id = 1; id <= n_rows && id != 0; id++) {
		const struct wait_row *row = view_wait(view, id);
		if (row && row->since_ns && row->since_ns < read_ns && row->stream == stream)
			return true;
	}
	return false;
}

/*
 * It had not finished at the end either if nothing else was unfinished, and the host still waited.
 * With other work after it, it may have finished since the snapshot.
 */
static bool is_unfinished(const struct bundle_view *view, const struct stalls *stalls,
			  uint64_t read_ns, const struct hang_claim *claim)
{
	const struct stall *row = &stalls->rows[0];
	return claim->n == 1 && stalls->n == 1 && claim->rows[0].is_proven && !claim->n_later &&
	       !row->n_behind && !stalls->n_unplaced && !stalls->n_unlisted &&
	       is_awaited(view, row->stream, read_ns);
}

static bool claim(const struct bundle_view *view, const struct stalls *stalls, uint64_t read_ns,
		  struct hang_claim *out)
{
	*out = (struct hang_claim){.is_of_end = true, .n_later = count_later(view, read_ns)};
	for (uint32_t i = 0; i < stalls->n; i++) {
		const struct stall *row = &stalls->rows[i];
		if (row->front.time_ns < read_ns && had_started(row))
			add(row, read_ns, out);
	}
	bool is_likely = is_unfinished(view, stalls, read_ns, out);
	out->class = is_likely ? VERDICT_LIKELY : VERDICT_NARROWED;
	return out->n > 0;
}

bool left_work_find(struct bundle *bundle, struct hang_claim *out)
{
	uint64_t read_ns = bundle->end.kind == REPORT_RUNS ? 0 : readings_apply_last(bundle);
	size_t size = read_ns ? stalls_scratch(&bundle->view) : 0;
	struct stalls *stalls = size ? malloc(sizeof(*stalls)) : NULL;
	void *scratch = stalls ? malloc(size) : NULL;
	const struct reading_time read = {.ns = read_ns, .is_past = true};
	bool is_known = scratch && !stalls_find(&bundle->view, &read, scratch, size, stalls) &&
			claim(&bundle->view, stalls, read_ns, out);
	free(scratch);
	free(stalls);
	return is_known;
}
